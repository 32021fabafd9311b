"""Audits: other people's environments, driven through the interface of their framework."""
