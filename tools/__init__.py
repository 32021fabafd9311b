"""Generators of the pages and skill parts that are built from facts. They are not part of the wheel."""
