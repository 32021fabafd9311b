"""GRA: graders, judge models, and tests that run programs."""

from skill_tools.checks.rules.graders import (
    answers,
    difficulty,
    judges,
    programs,
    slips,
    steady,
    wrong_replies,
)

CHECKS = (
    *wrong_replies.CHECKS,
    *answers.CHECKS,
    *slips.CHECKS,
    *steady.CHECKS,
    *judges.CHECKS,
    *difficulty.CHECKS,
    *programs.CHECKS,
)
