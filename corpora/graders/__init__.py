"""Graders that others wrote, by round; docs/graders.md has what is found."""
