"""ISO: isolation and answer leakage."""

from skill_tools.checks.rules.isolation import (
    file_leaks,
    leaks,
    numbers,
    refusal_leaks,
    shared_state,
    shortcuts,
)

CHECKS = (
    *shared_state.CHECKS,
    *leaks.CHECKS,
    *file_leaks.CHECKS,
    *refusal_leaks.CHECKS,
    *numbers.CHECKS,
    *shortcuts.CHECKS,
)
