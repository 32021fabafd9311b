"""RES: the time, memory and other resources that episodes use."""

from skill_tools.checks.rules.resources import cost, leftovers

CHECKS = (
    *cost.CHECKS,
    *leftovers.CHECKS,
)
