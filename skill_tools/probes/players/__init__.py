"""Players of known skill, blind players and the shortcut player."""
