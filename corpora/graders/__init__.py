"""Graders that others wrote, by round. docs/graders.md has the results."""
