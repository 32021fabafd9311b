"""Audits of other people's environments, which are driven through the interface of their framework."""
