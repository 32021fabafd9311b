"""Audits: foreign environments, driven through the interface of their framework."""
