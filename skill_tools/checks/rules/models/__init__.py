"""MOD: models inside the environment: their requests, their verdicts, and how they talk."""

from skill_tools.checks.rules.models import conversations, requests, verdicts

CHECKS = (*requests.CHECKS, *verdicts.CHECKS, *conversations.CHECKS)
