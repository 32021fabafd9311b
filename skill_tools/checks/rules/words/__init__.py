"""WOR: whether prompts and descriptions match the behavior."""

from skill_tools.checks.rules.words import limits, promises, refusals, sandbox_promises, schemas

CHECKS = (
    *schemas.CHECKS,
    *refusals.CHECKS,
    *limits.CHECKS,
    *sandbox_promises.CHECKS,
    *promises.CHECKS,
)
