"""MOD: models inside the environment, with their requests, their verdicts and their conversations."""

from skill_tools.checks.rules.models import conversations, requests, verdicts

CHECKS = (*requests.CHECKS, *verdicts.CHECKS, *conversations.CHECKS)
