"""Generators of the pages and skill parts that are made from facts; not part of the wheel."""
