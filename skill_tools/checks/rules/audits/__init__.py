"""AUD: audits of environments that we did not render."""

from skill_tools.checks.rules.audits import protocol, replays, rewards

CHECKS = (
    *rewards.CHECKS,
    *replays.CHECKS,
    *protocol.CHECKS,
)
