"""MOD: models inside the environment: what they are asked, what their verdicts decide, and how they talk."""

from skill_tools.checks.rules.models import conversations, requests, verdicts

CHECKS = (*requests.CHECKS, *verdicts.CHECKS, *conversations.CHECKS)
