"""Studies: whether a model can learn from an environment, and samples of one on it."""
