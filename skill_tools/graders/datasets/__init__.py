"""What is wrong with the rows of a data set: they are read once, counted and compared; nothing of theirs is run."""
