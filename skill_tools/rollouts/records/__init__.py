"""Trajectory files: exporting them, summarising them, and converting them to rows."""
