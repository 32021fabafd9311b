"""REW: rewards."""

from skill_tools.checks.rules.rewards import (
    accounting,
    baselines,
    grading,
    hacking,
    shaping,
    solvability,
    thoughtless,
)

CHECKS = (
    *baselines.CHECKS,
    *solvability.CHECKS,
    *hacking.CHECKS,
    *thoughtless.CHECKS,
    *accounting.CHECKS,
    *grading.CHECKS,
    *shaping.CHECKS,
)
