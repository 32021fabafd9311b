"""DET: determinism and seeds."""

from skill_tools.checks.rules.determinism import repeats, surroundings

CHECKS = (
    *repeats.CHECKS,
    *surroundings.CHECKS,
)
