"""A study as data: curves of the return over skill, blind players, findings, advice, and a verdict."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from skill_tools.checks import Finding
from skill_tools.checks.reading.curves import Curve, LazyPlayer
from skill_tools.evidence.studied import StudyScope

Verdict = Literal["teachable", "hard to start", "flat", "too easy"]
"""Whether REINFORCE with a group's mean as baseline learns from a random start; see ``summary.py``."""


class TaskRow(BaseModel):
    """One task, with its mean return at each skill level, in order, and its maximum return."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
    level: str
    top: float
    means: list[float]


class Study(StudyScope):
    """A judgment, made without a model, on whether a model can learn from an environment.

    Attributes:
        tasks: Number of tasks played.
        how_oracle_goes_on: Description of how the oracle continues after a random call.
        drawn: Description of the source of random calls.
        curves: The curve of ``all`` tasks, then one curve per level.
        signal_from: The epsilon of the lowest skill level with variance in enough groups; None if no level has
            enough variance.
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
        """Return the findings with status fail, warn or note."""
        return [each for each in self.findings if each.status in ("fail", "warn", "note")]

    @property
    def ok(self) -> bool:
        """Return whether no finding fails."""
        return all(finding.status != "fail" for finding in self.findings)
