"""The report: what holds for an environment, and how it is made of evidence and findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from pydantic import BaseModel

from skill_tools.checks import Finding
from skill_tools.play.evidence import Evidence
from skill_tools.play.trajectory import Trajectory


class PolicyScore(BaseModel):
    """Mean return and ends of one policy in one variant; None where no episode has a score."""

    policy: str
    episodes: int
    failed: int
    mean_return: float | None
    ends: dict[str, int]


class VariantSummary(BaseModel):
    """How one variant (or the bare domain) was played; ``broken`` says why it was not."""

    framework: str
    versions: dict[str, str] = {}
    scores: list[PolicyScore] = []
    broken: str = ""

    @property
    def episodes(self) -> int:
        """Episodes of all policies."""
        return sum(score.episodes for score in self.scores)

    @property
    def failed(self) -> int:
        """Of these, how many have no score."""
        return sum(score.failed for score in self.scores)


class Report(BaseModel):
    """Everything that was found; ``ok`` when no check failed.

    ``not_played`` is what a green report says nothing about. ``varies`` names what may differ
    between two runs, so that observations are compared without it. ``counts`` are checks by status.
    """

    environment: str
    title: str
    folder: str
    ok: bool
    seconds: float
    split: str | None
    tasks: int
    not_played: str
    varies: list[str] = []
    variants: list[VariantSummary]
    findings: list[Finding]
    counts: dict[str, int]


def make_report(evidence: Evidence, findings: Sequence[Finding]) -> Report:
    """Summarise evidence and findings."""
    by_check = {(finding.check, finding.status): finding for finding in findings}
    return Report(
        environment=evidence.declaration.name,
        title=evidence.declaration.title or evidence.declaration.name,
        folder=str(evidence.folder or ""),
        ok=not any(finding.status == "fail" for finding in findings),
        seconds=round(evidence.seconds, 2),
        split=evidence.tasks.split if evidence.tasks else None,
        tasks=len(evidence.tasks.tasks) if evidence.tasks else 0,
        not_played=_not_played(evidence),
        varies=evidence.declaration.varies,
        variants=_variants(evidence),
        findings=list(findings),
        counts=dict(Counter(finding.status for finding in by_check.values())),
    )


def _not_played(evidence: Evidence) -> str:
    if not evidence.tasks:
        return ""
    left = {**evidence.tasks.sizes}
    left[evidence.tasks.split] -= len(evidence.tasks.tasks)
    return ", ".join(f"{size} tasks of {split}" for split, size in left.items() if size)


def _variants(evidence: Evidence) -> list[VariantSummary]:
    # Rollouts are written down as they end; a reader compares them policy by policy.
    order = {policy: position for position, policy in enumerate(evidence.reference or {})}
    found = [
        VariantSummary(
            framework=name,
            versions=next(iter(next(iter(by_policy.values())).values())).versions,
            scores=[
                _score(policy, list(by_policy[policy].values()))
                for policy in sorted(by_policy, key=lambda each: order.get(each, len(order)))
            ],
        )
        for name, by_policy in evidence.played.items()
    ]
    return found + [
        VariantSummary(framework=name, broken=reason) for name, reason in evidence.broken.items()
    ]


def _score(policy: str, trajectories: list[Trajectory]) -> PolicyScore:
    totals = [t.total for t in trajectories if t.total is not None]
    return PolicyScore(
        policy=policy,
        episodes=len(trajectories),
        failed=len(trajectories) - len(totals),
        mean_return=fmean(totals) if totals else None,
        ends=dict(Counter(t.end for t in trajectories)),
    )
