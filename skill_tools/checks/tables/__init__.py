"""Engines that find the defects of many checks: each check is a row, which says what is looked at.

- ``relations``: two runs that must agree, or must not all do so.
- ``bounds``: who may earn at most how much, or must earn at least so much.
"""
