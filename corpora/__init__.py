"""Environments and graders with known defects, and correct ones, on which the checks are measured."""
