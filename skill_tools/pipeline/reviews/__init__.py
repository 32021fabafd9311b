"""Reviews: readers' claims about an environment, and the experiments that confirm or refute them."""
