"""Engines that find the defects of many checks, each of which is a row of a table.

- ``relations``: two runs that must agree, or of which some must differ.
- ``bounds``: players with a maximum or a minimum return.
"""
