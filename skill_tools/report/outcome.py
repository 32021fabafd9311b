"""What came of playing an environment: its evidence, judged and reported, and kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from skill_tools import checks
from skill_tools.checks import Finding
from skill_tools.play.evidence import Evidence
from skill_tools.report.model import Report, combine_reports, make_report
from skill_tools.report.runs import REPORT_FILE, keep_run


@dataclass(frozen=True)
class Outcome:
    """A report and the evidence behind it; of several splits the first one's.

    ``splits`` has the outcome of each, where there were several.
    """

    report: Report
    evidence: Evidence
    splits: tuple[Outcome, ...] = ()

    @property
    def failures(self) -> list[Finding]:
        """The findings of checks that failed."""
        return [finding for finding in self.report.findings if finding.status == "fail"]

    @property
    def report_file(self) -> Path:
        """Where the report of the last build or validation lies, as Markdown."""
        return self.evidence.folder / REPORT_FILE


def judge(evidence: Evidence) -> Outcome:
    """Check what was seen."""
    return Outcome(make_report(evidence, checks.run(evidence)), evidence)


def combine(found: Sequence[Outcome]) -> Outcome:
    """One outcome of those of several splits."""
    if len(found) == 1:
        return found[0]
    tasks = [each.evidence.tasks for each in found if each.evidence.tasks]
    report = combine_reports([each.report for each in found], tasks)
    return Outcome(report, found[0].evidence, tuple(found))


def keep(outcome: Outcome) -> Outcome:
    """Write the report and the trajectories into the environment's folder."""
    keep_run(outcome.report, outcome.evidence)
    for each in outcome.splits:
        keep_run(each.report, each.evidence, each.report.split or "")
    return outcome
