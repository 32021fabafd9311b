"""Players of known skill, players who do not look, and the shortcut player."""
