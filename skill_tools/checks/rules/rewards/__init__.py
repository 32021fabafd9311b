"""REW: rewards."""

from skill_tools.checks.rules.rewards import (
    accounting,
    baselines,
    chance,
    claims,
    grader_files,
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
    *grader_files.CHECKS,
    *shaping.CHECKS,
    *claims.CHECKS,
    *chance.CHECKS,
)
