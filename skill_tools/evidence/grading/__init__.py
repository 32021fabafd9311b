"""What graders paid, what the rows of a data set hold, and shares of either."""
