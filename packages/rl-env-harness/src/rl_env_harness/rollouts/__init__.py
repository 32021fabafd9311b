"""Playing episodes: the loop, the command line, text actions, and rows for trainers."""
