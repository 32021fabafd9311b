"""Measures: the numbers in a report for which users can set limits."""

from __future__ import annotations

from skill_tools.evidence.evidence import Evidence
from skill_tools.report.summary_lines import thoughtless_share

MEASURES = {
    "ceiling": "the highest share of the maximum return that a wrong answer earns, 0 to 1",
    "false-fails": "the share of equivalent right answers that are refused, 0 to 1",
    "weak-tests": "of the tasks whose answer is a program, the share on which a wrong program is rewarded, 0 to 1",
    "thoughtless": "the return of the best player who never looks at the task, as a share of the maximum beyond "
    "doing nothing, 0 to 1",
}
"""Every measure by name, with its description and unit. For every measure, higher is worse."""


def measure(evidence: Evidence) -> dict[str, float]:
    """Return the measures that the evidence contains, keyed by the names in ``MEASURES``."""
    found = {"thoughtless": thoughtless_share(evidence)}
    # A reward based on a stand-in judge says nothing about a grader.
    graded = (
        evidence.audit.graded
        if evidence.audit.graded and not evidence.audit.graded.judged.of
        else None
    )
    if graded and graded.ceiling:
        found["ceiling"] = graded.ceiling[0]
    if graded and graded.false_fails.of:
        found["false-fails"] = graded.false_fails.value
    if graded and graded.weak_tests.of:
        found["weak-tests"] = graded.weak_tests.value
    return {name: round(value, 4) for name, value in found.items() if value is not None}
