"""Studies of whether a model can learn from an environment, and of a model's samples on an environment."""
