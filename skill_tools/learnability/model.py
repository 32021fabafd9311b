"""A study as data: curves of the return over skill, players who do not look, findings, advice, a verdict."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from skill_tools.checks import Finding
from skill_tools.checks.reading.curves import Curve, LazyPlayer
from skill_tools.evidence.studied import StudyScope

Verdict = Literal["teachable", "hard to start", "flat", "too easy"]
"""Whether REINFORCE with a group's mean as its baseline learns from a random start; ``summary.py`` defines each."""


class TaskRow(BaseModel):
    """One task: the mean return on each rung, in the order of the rungs, and the most that it pays."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
    level: str
    top: float
    means: list[float]


class Study(StudyScope):
    """Whether a model can learn from an environment, told without a model.

    tasks: how many were played. how_oracle_goes_on: in words, what it does after a random call. drawn: in
    words, where random calls are from. curves: of ``all`` first, then of each level. signal_from: the epsilon of
    the least skilled rung from which enough groups have variance; None where none has. bound: the share of the
    oracle's return that no player who does not look should earn. findings: of every check of a study, those that
    passed among them. models: what real models earned, where they were asked.
    """

    tasks: int
    episodes: int
    seconds: float
    how_oracle_goes_on: str
    drawn: str
    curves: list[Curve]
    lazy: list[LazyPlayer]
    by_task: list[TaskRow]
    bound: float
    signal_from: float | None
    findings: list[Finding]
    advice: list[str]
    verdict: Verdict
    because: str
    models: list[dict[str, Any]] = []

    @property
    def reported(self) -> list[Finding]:
        """The findings that fail, warn or note something."""
        return [each for each in self.findings if each.status in ("fail", "warn", "note")]

    @property
    def ok(self) -> bool:
        """Whether no finding fails."""
        return all(finding.status != "fail" for finding in self.findings)
