"""LRN: whether a model can learn from it, as a study played it."""

from skill_tools.checks.rules.learnability import skills, tasks

CHECKS = (*tasks.CHECKS, *skills.CHECKS)
