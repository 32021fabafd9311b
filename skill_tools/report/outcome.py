"""The outcome of playing an environment: the evidence, and the code that judges, reports and stores it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from skill_tools import checks
from skill_tools.checks import Finding
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.saved import changed_sources
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.learnability.model import Study
from skill_tools.report.model import Report, combine_reports, make_report
from skill_tools.report.storage.replays import with_replays
from skill_tools.report.storage.runs import (
    PAGE_FILE,
    REPORT_FILE,
    keep_evidence,
    keep_run,
    keep_shown,
    runs_of,
)
from skill_tools.report.verdict import verdict_of


@dataclass(frozen=True)
class Outcome:
    """A report and its evidence; for several splits, the evidence of the first split.

    ``splits`` has the outcome of each split if there are several. ``shown`` has the episode that each finding
    shows, under the name that `skill-tools replay` accepts.
    """

    report: Report
    evidence: Evidence
    splits: tuple[Outcome, ...] = ()
    shown: Mapping[str, Trajectory] = field(default_factory=dict)

    @property
    def failures(self) -> list[Finding]:
        """Return the findings of failed checks."""
        return [finding for finding in self.report.findings if finding.status == "fail"]

    @property
    def ran(self) -> bool:
        """Return whether anything could be played. An audited environment may fail to start."""
        audited = self.evidence.audit.audited
        return audited is None or not audited.broken

    @property
    def seen(self) -> list[Evidence]:
        """Return the evidence of each split."""
        return [each.evidence for each in self.splits or (self,)]

    @property
    def report_file(self) -> Path:
        """Return the path of the Markdown report of the last build or validation."""
        return runs_of(self.evidence.home) / Path(REPORT_FILE).name

    @property
    def page_file(self) -> Path:
        """Return the path of the HTML report, a page for reading episodes."""
        return runs_of(self.evidence.home) / PAGE_FILE


def judge(evidence: Evidence) -> Outcome:
    """Run the checks on the evidence and make the report."""
    findings = checks.run(evidence)
    if evidence.folder is None:
        return Outcome(make_report(evidence, findings), evidence)
    replayable, shown = with_replays(evidence.folder, findings)
    return Outcome(make_report(evidence, replayable), evidence, shown=shown)


def judge_bare(seen: Sequence[Evidence]) -> Outcome:
    """Judge the bare domain, without variants, for each split."""
    return _as_files_are(combine([judge(each) for each in seen]))


def combine(found: Sequence[Outcome]) -> Outcome:
    """Combine the outcomes of several splits."""
    if len(found) == 1:
        return found[0]
    tasks = [each.evidence.reference.tasks for each in found if each.evidence.reference.tasks]
    report = combine_reports([each.report for each in found], tasks)
    shown = {key: each for of_split in reversed(found) for key, each in of_split.shown.items()}
    return Outcome(report, found[0].evidence, tuple(found), shown)


def judge_and_keep(seen: Sequence[Evidence]) -> Outcome:
    """Judge the evidence of each split, and write evidence, report and trajectories to the folder.

    The evidence is written first, so that it is kept even if a user's own check raises an error.
    """
    keep_evidence(seen[0].home, seen)
    outcome = _as_files_are(combine([judge(evidence) for evidence in seen]))
    keep_run(outcome.report, outcome.evidence)
    for each in outcome.splits:
        keep_run(each.report, each.evidence, each.report.split or "")
    return keep_episodes(outcome)


def _as_files_are(outcome: Outcome) -> Outcome:
    """Return the outcome, marked as not green if the author's files changed during the run."""
    changed = sorted({name for each in outcome.seen for name in changed_sources(each)})
    if not changed:
        return outcome
    told = (
        f"{', '.join(changed)} changed during the run, so the results fit neither the old "
        "nor the new state: run the command again"
    )
    seen = f"{told}; {outcome.report.seen}" if outcome.report.seen else told
    update = {"ok": False, "seen": seen, "unjudged": [told]}
    if outcome.report.verdict == "sound":
        update["verdict"] = "not judged"
    return replace(outcome, report=outcome.report.model_copy(update=update))


def keep_episodes(outcome: Outcome) -> Outcome:
    """Store the episodes that findings show, so that they can be replayed."""
    keep_shown(outcome.evidence.home, outcome.shown)
    return outcome


def report_study(study: Study, folder: str = "") -> Report:
    """Return a study's findings as a report, for gates, baselines and every format."""
    left = study.size - study.tasks
    same = ("environment", "title", "ok", "seconds", "split", "tasks", "findings")
    return Report(
        **{name: getattr(study, name) for name in same},
        folder=folder,
        verdict=verdict_of(study.findings, []),
        not_played=f"{left} of {study.size} tasks of {study.split}" if left else "",
        variants=[],
        counts=dict(Counter(finding.status for finding in study.findings)),
    )
