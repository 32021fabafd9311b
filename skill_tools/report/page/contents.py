"""The data of a report's HTML page: the report, the episodes, and the links from findings to episodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from skill_tools.checks import CHECKS, Finding
from skill_tools.checks.reading.variation import comparable
from skill_tools.evidence.evidence import POLICIES, Evidence
from skill_tools.evidence.levels import ONE, find_levels, short_fields
from skill_tools.evidence.trajectory import Replay, Trajectory
from skill_tools.report.further import further
from skill_tools.report.model import REPORTED, Report
from skill_tools.report.page.packing import Packer, plain
from skill_tools.report.storage.replays import step_that_differs

FORMAT = 1
"""Version of the data format; page.js reads this one."""


@dataclass(frozen=True)
class Contents:
    """The contents of a report's HTML page.

    Attributes:
        title: The page's title.
        report: The report, if there is one.
        evidence: The evidence of each split that the page shows.
        read: The episodes from trajectory files, if the page shows such files.
        pages: Each split's page, keyed by split, if the splits have their own pages. In that case this page has
            only the episodes that findings show.
        study: A study's result as data.
        origin: The origin of the data, as text.
    """

    title: str
    report: Report | None = None
    evidence: Sequence[Evidence] = ()
    read: Sequence[Trajectory] = ()
    pages: Mapping[str, str] = field(default_factory=dict)
    study: Mapping[str, Any] | None = None
    origin: str = ""

    def pack(self) -> dict[str, Any]:
        """Return the data of the HTML page as values that JSON can represent."""
        book = _Book(self)
        findings = [book.finding(finding) for finding in _in_order(self.report)]
        first = self.evidence[0] if self.evidence else None
        return {
            "format": FORMAT,
            "title": self.title,
            "about": first.declaration.description if first else "",
            "origin": self.origin,
            "range": plain(first.declaration.reward_range) if first else None,
            "varies": self.report.varies if self.report else [],
            "report": _told(self.report) if self.report else None,
            "findings": findings,
            "policies": POLICIES,
            "rules": {key: each.what for key, each in CHECKS.items()},
            "pages": dict(self.pages),
            "study": plain(self.study) if self.study else None,
            "episodes": book.episodes,
            "values": book.packer.values,
            "pictures": book.packer.pictures,
        }


class _Book:
    """The episodes on an HTML page, without duplicates, and the number of each episode on the page."""

    def __init__(self, contents: Contents) -> None:
        self.packer = Packer()
        self.episodes: list[dict[str, Any]] = []
        self._evidence = contents.evidence
        self._levels = [_levels(evidence) for evidence in contents.evidence]
        self._numbers: dict[int, int] = {}
        self._kept: list[Trajectory] = []
        if not contents.pages:
            self._add(contents.read)
            for evidence in contents.evidence:
                # Rollouts are recorded as they end, in any order.
                order, policies = list(evidence.played), [*POLICIES]
                every = sorted(
                    evidence.every,
                    key=lambda t: (
                        order.index(t.framework),
                        _place(t.model, policies),
                        t.index or 0,
                    ),
                )
                self._add(every)

    def finding(self, finding: Finding) -> dict[str, Any]:
        """Return a finding as data, with the number of its episode and, for parity, of the compared episode."""
        known = CHECKS.get(finding.check)
        told: dict[str, Any] = {
            "check": finding.check,
            "name": finding.name,
            "status": finding.status,
            "message": finding.message,
            "fix": finding.fix if finding.status in REPORTED else "",
            "replay": finding.replay or (f"python {finding.repro}" if finding.repro else ""),
            "why": known.why if known else "",
        }
        if finding.shown is None or finding.status not in REPORTED:
            return told
        told["episode"] = self._number(finding.shown)
        if finding.check.startswith("PAR"):
            told |= self._compared(finding.shown)
        return told

    def _compared(self, shown: Trajectory) -> dict[str, Any]:
        """Return the episode of the same script in the baseline, and the index (from 0) of the first different step.

        The index is -1 if only the prompts differ, and None if nothing differs.
        """
        for evidence in self._evidence:
            name, baseline = evidence.baseline or ("", {})
            other = baseline.get(shown.model, {}).get(shown.label)
            if other is None or shown.framework == name:
                continue
            varies = evidence.declaration.varies
            step = step_that_differs(Replay(other, shown), varies)
            prompts = comparable(other.prompt, varies) != comparable(shown.prompt, varies)
            return {"other": self._number(other), "step": -1 if step is None and prompts else step}
        return {}

    def _number(self, episode: Trajectory) -> int:
        self._add([episode])
        return self._numbers[id(episode)]

    def _add(self, episodes: Iterable[Trajectory]) -> None:
        for episode in episodes:
            if id(episode) not in self._numbers:
                self._numbers[id(episode)] = len(self.episodes)
                self._kept.append(episode)  # otherwise another might have its id
                self.episodes.append(self.packer.pack(episode, self._level(episode)))

    def _level(self, episode: Trajectory) -> str:
        for levels, evidence in zip(self._levels, self._evidence, strict=True):
            if evidence.reference.tasks and evidence.reference.tasks.of(episode) is not None:
                level = levels[episode.index or 0]
                return "" if level == ONE else level
        return ""


def _levels(evidence: Evidence) -> list[str]:
    """Return the level of each played task, in the order of the tasks."""
    tasks = evidence.reference.tasks.tasks if evidence.reference.tasks else []
    return find_levels([short_fields(task) for task in tasks], evidence.secrets).of


def _place(policy: str, policies: Sequence[str]) -> int:
    """Return a policy's rank. Unknown policies have the last rank."""
    return policies.index(policy) if policy in policies else len(policies)


def _in_order(report: Report | None) -> list[Finding]:
    """Return the findings, with failed findings first and with passed and skipped findings last."""
    order = {status: place for place, status in enumerate((*REPORTED, "pass", "skip"))}
    return sorted(report.findings, key=lambda each: order[each.status]) if report else []


def _told(report: Report) -> dict[str, Any]:
    """Return the facts about a report that the head of its HTML page shows."""
    return {
        "ok": report.ok,
        "word": report.word,
        "unjudged": report.lacking,
        "seconds": report.seconds,
        "split": report.split or "",
        "tasks": report.tasks,
        "counts": report.counts,
        "further": further(report),
        "variants": [
            {
                "framework": variant.framework,
                "split": variant.split or "",
                "versions": ", ".join(f"{k} {v}" for k, v in variant.versions.items()),
                "broken": variant.broken,
                "scores": [
                    {**score.model_dump(exclude={"mean_return", "standard_error"})}
                    | {"text": score.text}
                    for score in variant.scores
                ],
            }
            for variant in report.variants
        ],
    }
