"""Checks: rules over evidence, and their findings."""

from skill_tools.checks.check import Check, Finding
from skill_tools.checks.engine import checks_for, run
from skill_tools.checks.rules import CHECKS, FAMILIES, MODULES

__all__ = ["CHECKS", "FAMILIES", "MODULES", "Check", "Finding", "checks_for", "run"]
