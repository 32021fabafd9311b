"""The reference run: the author's code in a separate process, and the questions put to it."""
