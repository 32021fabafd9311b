"""The reference run: the author's code in a process of its own, and what is asked of it."""
