"""DET: determinism and seeds."""

from skill_tools.checks.rules.determinism import elsewhere, repeats

CHECKS = (
    *repeats.CHECKS,
    *elsewhere.CHECKS,
)
