"""Players: noisy oracles of known skill, blind players, and the player that learns shortcuts."""
