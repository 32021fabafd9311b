"""EPI: how episodes open, proceed and end."""

from skill_tools.checks.rules.episodes import boundaries, lifecycle, offered_lists

CHECKS = (
    *lifecycle.CHECKS,
    *boundaries.CHECKS,
    *offered_lists.CHECKS,
)
