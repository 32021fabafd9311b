"""What a report says beyond what every good environment has."""

from __future__ import annotations

from skill_tools.checks import Finding, needs
from skill_tools.report.model import Report

ALWAYS = (
    *(needs.FILES, needs.SPEC, needs.IMPORTS, needs.DOMAIN, needs.SURVEY, needs.TASKS),
    *(needs.WITH_TASKS, needs.PLAYED, needs.SCORED, needs.REFERENCE, needs.REPEAT, needs.PROBED),
    *(needs.INTERLEAVED, needs.REVERSED, needs.RESEEDED, needs.VARIANTS, needs.ROLLOUTS),
    *(needs.BASELINE, needs.TOOLS, needs.PROMPT, needs.REWARD_RANGE, needs.REWARD_TIMING),
    *(needs.MAX_TURNS, needs.HIDDEN, needs.SEED_USED),
)
"""What there is of every environment that was built."""
NOT_SEEN = tuple(need.reason for need in ALWAYS)
UNASKED = ("no answer:", "after ", "the policy ")
"""How the reason of a check begins that should have judged something, and could not."""


def unwanted(report: Report) -> list[Finding]:
    """Findings that are no pass and no note, except for checks that had nothing to look at."""
    return [
        finding
        for finding in report.findings
        if finding.status not in ("pass", "note")
        and (
            finding.status != "skip"
            or finding.message in NOT_SEEN
            or finding.message.startswith(UNASKED)
        )
    ]
