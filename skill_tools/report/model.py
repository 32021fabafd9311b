"""The report: its data model, and the code that summarizes evidence and findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from pydantic import BaseModel, model_validator

from skill_tools.checks.check import Finding, Status
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.reference_run import Tasks
from skill_tools.evidence.trajectory import Trajectory, mean_metrics
from skill_tools.report.measures import measure
from skill_tools.report.summary_lines import (
    bare_examples,
    best_thoughtless,
    not_played,
    of_the_best,
    over_deals,
    port_line,
    review_lines,
    seen,
    taken_before,
    tasks_scored,
    varying,
)
from skill_tools.report.verdict import (
    Verdict,
    more_time,
    not_for_audits,
    unanswered,
    verdict_of,
    worst,
)


class PolicyScore(BaseModel):
    """Mean return, metrics and endings of one policy in one variant; the mean is None if no episode has a score.

    ``standard_error`` belongs to the mean over tasks. It is None for a single episode and for worked examples.
    """

    policy: str
    episodes: int
    failed: int
    mean_return: float | None
    standard_error: float | None = None
    ends: dict[str, int]
    metrics: dict[str, float] = {}

    @property
    def text(self) -> str:
        """Return the mean return as text, such as ``0.400 ± 0.163``, or "" if no episode has a score."""
        if self.mean_return is None:
            return ""
        unsure = f"{self.standard_error or 0:.3f}"
        return f"{self.mean_return:.3f}" + (f" ± {unsure}" if float(unsure) else "")


class VariantSummary(BaseModel):
    """The episodes of one variant, or of the bare domain. ``broken`` is the reason why there are no episodes."""

    framework: str
    split: str | None = None
    versions: dict[str, str] = {}
    scores: list[PolicyScore] = []
    broken: str = ""

    @property
    def episodes(self) -> int:
        """Number of episodes of all policies."""
        return sum(score.episodes for score in self.scores)

    @property
    def failed(self) -> int:
        """Number of episodes without a score."""
        return sum(score.failed for score in self.scores)


class Report(BaseModel):
    """All results.

    Attributes:
        ok, verdict: Whether no check failed, and the overall verdict; see ``report.verdict``.
        unjudged: The facts or actions that a complete judgment needs.
        measures: Numbers for gates. If there are several splits, each number is the worst of all splits.
        not_for_audits: Checks that ``counts`` excludes for an audit.
        no_repro: Reasons why a requested script that reproduces a finding could not be written.
        split, varies: The played splits, joined by commas; fields that comparisons of observations ignore.
        not_played, seen: Facts that a green report does not cover; how far an incomplete run went.
        bare_examples: Worked examples that were played only on the bare domain.
        thoughtless, of_best, dealt, taken, reviewed, ported: Sentences of ``summary_lines``."""

    environment: str
    title: str
    folder: str
    ok: bool
    verdict: Verdict
    unjudged: list[str] = []
    measures: dict[str, float] = {}
    audited: bool = False
    not_for_audits: list[str] = []
    no_repro: list[str] = []
    seconds: float
    split: str | None
    tasks: int
    not_played: str
    seen: str = ""
    bare_examples: list[int] = []
    thoughtless: list[str] = []
    of_best: list[str] = []
    dealt: list[str] = []
    taken: list[str] = []
    reviewed: list[str] = []
    ported: str = ""
    varies: list[str] = []
    variants: list[VariantSummary]
    findings: list[Finding]
    counts: dict[str, int]

    @model_validator(mode="before")
    @classmethod
    def _of_before(cls, data: Any) -> Any:
        """Upgrade data from a release that did not write verdicts."""
        if isinstance(data, dict) and "verdict" not in data:
            return {**data, "verdict": "sound" if data.get("ok") else "not sound"}
        return data

    @property
    def word(self) -> str:
        """Return the word for the headline: the verdict, or "green" or "not green" for a rendered environment."""
        if self.ok and self.verdict in UNDECIDED:
            return self.verdict
        if self.audited:
            return "sound" if self.ok else "not sound"
        return "green" if self.ok else "not green"

    @property
    def lacking(self) -> list[str]:
        """Return the facts that are still missing for a verdict if no check failed, or an empty list."""
        return self.unjudged if self.verdict in UNDECIDED else []


UNDECIDED: tuple[Verdict, ...] = ("not judged", "incomplete")
"""Verdicts that leave the question open."""
REPORTED: tuple[Status, ...] = ("fail", "warn", "note", "excepted")
"""Statuses of findings that are written out, the worst first."""


def make_report(evidence: Evidence, findings: Sequence[Finding]) -> Report:
    """Make a report that summarizes evidence and findings."""
    apart, lacking = not_for_audits(evidence, findings), unanswered(evidence)
    tasks = evidence.reference.tasks
    by_check = {
        (finding.check, finding.status): finding
        for finding in findings
        if not (finding.status == "skip" and finding.check in apart)
    }
    return Report(
        environment=evidence.declaration.name,
        title=evidence.declaration.title or evidence.declaration.name,
        folder=str(evidence.folder or ""),
        ok=not any(finding.status == "fail" for finding in findings),
        verdict=verdict_of(findings, lacking),
        unjudged=[*lacking, *more_time(findings)],
        measures=measure(evidence),
        audited=evidence.audit.audited is not None,
        not_for_audits=apart,
        seconds=round(evidence.seconds, 2),
        split=tasks.split if tasks else None,
        tasks=len(tasks.tasks) if tasks else 0,
        not_played=not_played([tasks] if tasks else [], tasks_scored(evidence)),
        seen=seen(evidence),
        bare_examples=bare_examples(evidence),
        thoughtless=[told] if (told := best_thoughtless(evidence)) else [],
        of_best=[told] if (told := of_the_best(evidence)) else [],
        dealt=[told] if (told := over_deals(evidence)) else [],
        taken=[told] if (told := taken_before(evidence)) else [],
        reviewed=review_lines(evidence),
        ported=port_line(evidence),
        varies=varying(evidence.declaration),
        variants=_variants(evidence),
        findings=list(findings),
        counts=dict(Counter(finding.status for finding in by_check.values())),
    )


def combine_reports(reports: Sequence[Report], played: Sequence[Tasks]) -> Report:
    """Combine the reports of several splits. A check fails if it fails in any split."""
    found = [each for several in _by_check(reports) for each in _combined(_needed(several))]
    by_check = {(finding.check, finding.status): finding.status for finding in found}
    return reports[0].model_copy(
        update={
            "ok": all(report.ok for report in reports),
            "verdict": worst([report.verdict for report in reports]),
            "unjudged": list(dict.fromkeys(each for r in reports for each in r.unjudged)),
            "measures": {
                name: max(r.measures[name] for r in reports if name in r.measures)
                for name in dict.fromkeys(each for r in reports for each in r.measures)
            },
            "seconds": round(sum(report.seconds for report in reports), 2),
            "split": ", ".join(report.split or "" for report in reports),
            "tasks": sum(report.tasks for report in reports),
            "not_played": not_played(played),
            "bare_examples": sorted(set.intersection(*(set(r.bare_examples) for r in reports))),
            "thoughtless": [f"{r.split}, {told}" for r in reports for told in r.thoughtless],
            "of_best": [f"{r.split}, {told}" for r in reports for told in r.of_best],
            "dealt": [f"{r.split}, {told}" for r in reports for told in r.dealt],
            "taken": [f"{r.split}, {told}" for r in reports for told in r.taken],
            "variants": [variant for report in reports for variant in report.variants],
            "findings": found,
            "counts": dict(Counter(by_check.values())),
        }
    )


def _by_check(reports: Sequence[Report]) -> list[list[tuple[str, Finding]]]:
    """Group the findings by check, each finding with its split."""
    found: dict[str, list[tuple[str, Finding]]] = {}
    for report in reports:
        for finding in report.findings:
            found.setdefault(finding.check, []).append((report.split or "", finding))
    return list(found.values())


def _needed(findings: list[tuple[str, Finding]]) -> list[tuple[str, Finding]]:
    """Return a check's findings, without ``in_every_split`` findings that are missing in a split."""
    places: dict[Finding, set[str]] = {}
    for split, finding in findings:
        places.setdefault(finding, set()).add(split)
    count = len({split for split, _ in findings})
    whole = {each for each, splits in places.items() if len(splits) == count}
    return [each for each in findings if not each[1].in_every_split or each[1] in whole]


def _combined(findings: list[tuple[str, Finding]]) -> list[Finding]:
    """Return a check's reported findings, with the split names if only some splits have them, or else one finding."""
    failed: dict[Finding, list[str]] = {
        each: [] for status in REPORTED for _, each in findings if each.status == status
    }
    for split, finding in findings:
        failed.get(finding, []).append(split)
    passed = [each for _, each in findings if each.status == "pass"]
    count = len({split for split, _ in findings})
    reported = [
        each
        if len(splits) == count
        else replace(each, message=f"{', '.join(splits)}: {each.message}")
        for each, splits in failed.items()
    ]
    return reported or passed[:1] or [findings[0][1]]


def _variants(evidence: Evidence) -> list[VariantSummary]:
    # Rollouts are recorded as they end; readers compare them policy by policy.
    order = {policy: position for position, policy in enumerate(evidence.reference.episodes or {})}
    split = evidence.reference.tasks.split if evidence.reference.tasks else None
    found = [
        VariantSummary(
            framework=name,
            split=split,
            versions=next(iter(next(iter(by_policy.values())).values())).versions,
            scores=[
                _score(policy, _meant(policy, by_policy[policy].values(), evidence))
                for policy in sorted(by_policy, key=lambda each: order.get(each, len(order)))
            ],
        )
        for name, by_policy in evidence.played.items()
    ]
    return found + [
        VariantSummary(framework=name, split=split, broken=reason)
        for name, reason in evidence.variants.broken.items()
    ]


def _meant(policy: str, trajectories: Iterable[Trajectory], evidence: Evidence) -> list[Trajectory]:
    """Return a policy's episodes. For the policy of worked examples, leave out tasks without an example."""
    if policy != "example":
        return list(trajectories)
    tasks = {(each.split, each.index) for each in evidence.declaration.examples or ()}
    return [each for each in trajectories if (each.split, each.index) in tasks]


def _score(policy: str, trajectories: list[Trajectory]) -> PolicyScore:
    totals = [t.total for t in trajectories if t.total is not None]
    sampled = len(totals) > 1 and policy != "example"
    return PolicyScore(
        policy=policy,
        episodes=len(trajectories),
        failed=sum(t.end == "failed" for t in trajectories),
        mean_return=fmean(totals) if totals else None,
        standard_error=stdev(totals) / sqrt(len(totals)) if sampled else None,
        ends=dict(Counter(t.end for t in trajectories)),
        metrics=mean_metrics(trajectories),
    )
