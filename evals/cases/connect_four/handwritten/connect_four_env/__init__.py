"""Connect four for OpenEnv."""
