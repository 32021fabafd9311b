"""The reference run: a separate process runs the author's code and answers questions about the environment."""
