"""TAS: tasks and their splits."""

from skill_tools.checks.rules.tasks import problems, splits

CHECKS = (
    *problems.CHECKS,
    *splits.CHECKS,
)
