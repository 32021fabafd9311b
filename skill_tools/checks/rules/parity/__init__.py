"""PAR: whether every variant is the same environment."""

from skill_tools.checks.rules.parity import episodes, variants

CHECKS = (*variants.CHECKS, *episodes.CHECKS)
