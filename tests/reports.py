"""What a report says beyond what every good environment has."""

from __future__ import annotations

from skill_tools.checks import Finding
from skill_tools.checks.needs import DECLARED, SEEN
from skill_tools.report.model import Report

NOTHING_TO_LOOK_FOR = (SEEN["exceptions"], SEEN["secrets"], SEEN["worked"], DECLARED["said"])


def unwanted(report: Report) -> list[Finding]:
    """Findings that are no pass and no note, but for checks that have nothing to look for."""
    return [
        finding
        for finding in report.findings
        if finding.status not in ("pass", "note") and finding.message not in NOTHING_TO_LOOK_FOR
    ]
