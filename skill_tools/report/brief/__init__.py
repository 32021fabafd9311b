"""Briefs: an environment described to a reader who sees no code and judges it by its wording."""
