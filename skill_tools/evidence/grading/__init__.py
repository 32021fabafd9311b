"""The rewards from graders, the rows of datasets, and shares of rewards or rows."""
