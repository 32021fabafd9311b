"""Sentences that a report shows in addition to its tables."""

from __future__ import annotations

from skill_tools.report.model import Report

BARE_EXAMPLES = "Played only on the bare domain (variants play the first example of each task)"
"""Label for the worked examples in ``Report.bare_examples``."""


def further(report: Report) -> list[tuple[str, str]]:
    """Return the additional sentences as pairs of topic and sentence, such as ("Not played", "3 tasks of test")."""
    alone = ", ".join(f"examples[{number}]" for number in report.bare_examples)
    told = [
        *(("Blind players", each) for each in report.thoughtless),
        *(("Share of the maximum", each) for each in report.of_best),
        *(("Over many deals", each) for each in report.dealt),
        *(("Reviewed", each) for each in report.reviewed),
        ("Compared", report.ported),
        ("Seen", report.seen),
        *(("Reused from an earlier run", each) for each in report.taken),
        ("Not played", report.not_played),
        (BARE_EXAMPLES, alone),
        *(("No repro", each) for each in report.no_repro),
        ("Observations are compared without", ", ".join(report.varies)),
    ]
    return [(name, each) for name, each in told if each]
