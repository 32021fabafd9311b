"""Engines that find the defects of many checks. Each of these checks is a row of a table.

- ``relations``: pairs of runs that must agree, or pairs of which some must differ.
- ``bounds``: players with a maximum or a minimum return.
"""
