"""Defects in a dataset's rows, which are read once, counted and compared, but not played."""
