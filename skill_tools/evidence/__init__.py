"""Evidence: everything observed about an environment, written by players and read by ``checks``."""
