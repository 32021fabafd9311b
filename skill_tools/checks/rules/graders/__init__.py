"""GRA: graders, the models that judge and the tests that programs are put to."""

from skill_tools.checks.rules.graders import answers, difficulty, judges, programs, steady

CHECKS = (
    *answers.CHECKS,
    *steady.CHECKS,
    *judges.CHECKS,
    *difficulty.CHECKS,
    *programs.CHECKS,
)
