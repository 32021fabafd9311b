"""REW: rewards."""

from skill_tools.checks.rules.rewards import (
    accounting,
    baselines,
    grading,
    hacking,
    shaping,
    solvability,
)

CHECKS = (
    *baselines.CHECKS,
    *solvability.CHECKS,
    *hacking.CHECKS,
    *accounting.CHECKS,
    *grading.CHECKS,
    *shaping.CHECKS,
)
