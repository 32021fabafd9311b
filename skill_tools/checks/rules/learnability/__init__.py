"""LRN: whether a model can learn from the environment, according to a study."""

from skill_tools.checks.rules.learnability import skills, tasks

CHECKS = (*tasks.CHECKS, *skills.CHECKS)
