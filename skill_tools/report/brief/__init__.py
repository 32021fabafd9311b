"""The brief of an environment for a reader who sees no code, and must judge the world by its words."""
