"""Measures: the numbers of a report that people gate on."""

from __future__ import annotations

from skill_tools.evidence.evidence import Evidence
from skill_tools.report.summary_lines import thoughtless_share

MEASURES = {
    "ceiling": "the highest share of the greatest return that a wrong answer earns, 0 to 1",
    "false-fails": "the share of equivalent right answers that are refused, 0 to 1",
    "weak-tests": "the share of the tasks with programs on which a wrong one is rewarded, 0 to 1",
    "thoughtless": "the return of the best player who never looks at the task, as a share of the maximum beyond "
    "doing nothing, 0 to 1",
}
"""Every measure by its name: what it is, and its unit. Of each, more is worse."""


def measure(evidence: Evidence) -> dict[str, float]:
    """The measures that the evidence tells, by the names of ``MEASURES``; the others are left out."""
    found = {"thoughtless": thoughtless_share(evidence)}
    # What a stand-in for a judge pays is no measure of a grader.
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
