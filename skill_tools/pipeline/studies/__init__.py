"""Studies: whether a model can learn from an environment, and a model's samples on it."""
