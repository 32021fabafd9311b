"""Trajectory files: exported, summed up and put in rows."""
