"""Playing episodes: the loop, its command line, text actions, and rows for trainers."""
