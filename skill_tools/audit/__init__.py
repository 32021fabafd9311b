"""Audits: environments of anybody, driven over what their framework offers."""
