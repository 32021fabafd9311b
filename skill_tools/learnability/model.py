"""A study as data: curves of the return over skill, blind players, findings, advice, a verdict."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from skill_tools.checks import Finding
from skill_tools.checks.reading.curves import Curve, LazyPlayer
from skill_tools.evidence.studied import StudyScope

Verdict = Literal["teachable", "hard to start", "flat", "too easy"]
"""Whether REINFORCE with a group's mean as baseline learns from a random start; see ``summary.py``."""


class TaskRow(BaseModel):
    """One task: its mean return at each skill level, in order, and its maximum return."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
    level: str
    top: float
    means: list[float]


class Study(StudyScope):
    """The judgement, made without a model, whether a model can learn from an environment.

    Attributes:
        tasks: Number of tasks played.
        how_oracle_goes_on: How the oracle continues after a random call, in words.
        drawn: Where random calls come from, in words.
        curves: The curve of ``all`` tasks, then one per level.
        signal_from: The epsilon of the lowest skill level with variance in enough groups; None if
            there is none.
        bound: The maximum share of the oracle's return for a blind player.
        findings: The findings of every check of a study, including passes.
        models: Returns of real models, if any played.
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
