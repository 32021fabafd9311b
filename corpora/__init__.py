"""Correct environments and graders, and some with known defects, on which the checks are measured."""
