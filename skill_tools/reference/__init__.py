"""The reference run: the author's code in a separate process, and the questions that are put to this process."""
