"""Whether a model can learn from an environment, judged by the returns of players of known skill."""
