"""Correct and wrong replies for the graders of foreign environments."""
