"""Evidence: what was seen of an environment, which those who play write and ``checks`` read."""
