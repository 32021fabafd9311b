"""Evidence: what was seen of an environment, which ``play`` writes and ``checks`` read."""
