"""Repros: a finding of an audit as a script that whoever maintains the environment can run."""
