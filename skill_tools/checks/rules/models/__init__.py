"""MOD: models inside the environment, with their requests, their verdicts and their conversations."""

from skill_tools.checks.rules.models import conversations, judge_ratings, requests

CHECKS = (*requests.CHECKS, *judge_ratings.CHECKS, *conversations.CHECKS)
