"""GRA: graders, judge models, and tests that run programs."""

from skill_tools.checks.rules.graders import answers, difficulty, judges, programs, steady

CHECKS = (
    *answers.CHECKS,
    *steady.CHECKS,
    *judges.CHECKS,
    *difficulty.CHECKS,
    *programs.CHECKS,
)
