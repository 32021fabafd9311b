"""Rows of data sets, which can be checked, written from tasks, and made into environments."""
