"""Whether a model can learn from an environment, according to the returns of players of known skill."""
