"""ISO: isolation and answer leakage."""

from skill_tools.checks.rules.isolation import (
    answer_leaks,
    disguised_leaks,
    encoded_leaks,
    file_leaks,
    numeric_leaks,
    refusal_leaks,
    shared_state,
)

CHECKS = (
    *shared_state.CHECKS,
    *answer_leaks.CHECKS,
    *disguised_leaks.CHECKS,
    *file_leaks.CHECKS,
    *refusal_leaks.CHECKS,
    *encoded_leaks.CHECKS,
    *numeric_leaks.CHECKS,
)
