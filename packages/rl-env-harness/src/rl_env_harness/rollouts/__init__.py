"""What plays episodes: the loop, its command line, actions in text, and rows for trainers."""
