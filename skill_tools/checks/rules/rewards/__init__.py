"""REW: whether rewards match the spec, and whether players get rewards without doing the task."""

from skill_tools.checks.rules.rewards import (
    accounting,
    blind_baseline,
    ceilings,
    chance,
    claims,
    hacking,
    policy_returns,
    shaping,
    solvability,
)

CHECKS = (
    *policy_returns.CHECKS,
    *ceilings.CHECKS,
    *solvability.CHECKS,
    *hacking.CHECKS,
    *blind_baseline.CHECKS,
    *accounting.CHECKS,
    *shaping.CHECKS,
    *claims.CHECKS,
    *chance.CHECKS,
)
