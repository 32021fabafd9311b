"""Rows of data sets: checked, written from tasks, and made into environments."""
