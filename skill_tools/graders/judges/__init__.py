"""Graders that ask a model: injections, and what the judge sees."""
