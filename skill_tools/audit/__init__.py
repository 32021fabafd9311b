"""Audits of environments that other people wrote, through the interface of each environment's framework."""
