"""REW: rewards."""

from skill_tools.checks.rules.rewards import (
    accounting,
    baselines,
    ceilings,
    chance,
    claims,
    hacking,
    shaping,
    solvability,
    thoughtless,
)

CHECKS = (
    *baselines.CHECKS,
    *ceilings.CHECKS,
    *solvability.CHECKS,
    *hacking.CHECKS,
    *thoughtless.CHECKS,
    *accounting.CHECKS,
    *shaping.CHECKS,
    *claims.CHECKS,
    *chance.CHECKS,
)
