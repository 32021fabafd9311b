"""Briefs: descriptions of an environment for a reader who sees no code and judges the environment by its
wording."""
