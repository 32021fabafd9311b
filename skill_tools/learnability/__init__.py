"""Whether a model can learn from an environment, from what players of known skill earned."""
