"""Trajectory files: exported, summarised and converted to rows."""
