"""AUD: audits of anybody's environment."""

from skill_tools.checks.rules.audits import protocol, replays, rewards

CHECKS = (
    *rewards.CHECKS,
    *replays.CHECKS,
    *protocol.CHECKS,
)
