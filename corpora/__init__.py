"""Environments and graders with known defects, and correct ones: what the checks are measured on."""
