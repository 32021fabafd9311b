"""Repros: scripts that reproduce an audit's findings for the maintainer of the environment."""
