"""RES: resources."""

from skill_tools.checks.rules.resources import cost, leftovers

CHECKS = (
    *cost.CHECKS,
    *leftovers.CHECKS,
)
