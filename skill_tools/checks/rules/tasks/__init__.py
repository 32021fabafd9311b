"""TAS: tasks and their splits."""

from skill_tools.checks.rules.tasks import splits, task_diversity

CHECKS = (
    *task_diversity.CHECKS,
    *splits.CHECKS,
)
