"""Environments and graders, correct or with known defects, on which the checks are measured."""
