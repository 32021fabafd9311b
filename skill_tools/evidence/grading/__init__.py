"""The rewards that graders gave, the rows of datasets, and shares of either."""
