"""How the reward functions of a foreign environment are watched: their exceptions, and the lines that run."""
