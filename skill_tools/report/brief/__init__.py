"""Briefs: descriptions of an environment for a reader who sees no code and judges only the environment's
wording.
"""
