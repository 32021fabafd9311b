"""A study as data: curves of the return over skill, players who do not look, findings, advice, a verdict."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

Verdict = Literal["teachable", "hard to start", "flat", "too easy"]
"""Whether REINFORCE with a group's mean as its baseline learns from a random start; ``verdict.py`` defines each."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SkillLevel(_Part):
    """What a policy of one skill earned.

    epsilon: the probability of a random call in place of the oracle's; 0 is the oracle, 1 random play.
    mean: the mean return. half: half the width of its 95 % interval, over the tasks. flat_share: the
    share of the tasks on which all samples earned the same, so that a group of them teaches nothing.
    solved_share: the share of the episodes that earned the maximum of their task. mean_steps: calls.
    """

    epsilon: float
    episodes: int
    mean: float
    half: float
    flat_share: float
    solved_share: float
    mean_steps: float


class Curve(_Part):
    """The rungs of one level, or of ``all``, from the oracle to random play.

    rank: Spearman's rank correlation of the rungs' means with their skill, 1 where every more skilled
    one earns more. slope: the return that the whole way from random play to the oracle brings, by a line through
    the rungs. bottom: what the rung above random play earns more than it. mistake_cost: what the oracle loses
    by one random call, in ``mistakes`` episodes; None where there are too few.
    """

    level: str
    tasks: int
    rungs: list[SkillLevel]
    rank: float
    slope: float
    bottom: float
    mistake_cost: float | None
    mistakes: int

    @property
    def oracle(self) -> SkillLevel:
        """The most skilled."""
        return self.rungs[0]

    @property
    def random(self) -> SkillLevel:
        """The least skilled."""
        return self.rungs[-1]

    @property
    def rise(self) -> float:
        """What the oracle earns more than random play."""
        return self.oracle.mean - self.random.mean


class LazyPlayer(_Part):
    """What a player who does not look at the task earned on one level, or on ``all``.

    share: of what the oracle earns there beyond doing nothing.
    """

    words: str
    level: str
    mean: float
    half: float
    share: float
    episodes: int


class StudyFinding(_Part):
    """Something that hinders learning, or may: which, how bad, in numbers, and what to change."""

    name: str
    level: Literal["fail", "warn", "note"]
    message: str
    lever: str


class TaskRow(_Part):
    """One task: the mean return on each rung, in the order of the rungs, and the most that it pays."""

    task: str
    level: str
    top: float
    means: list[float]


class Study(_Part):
    """Whether a model can learn from an environment, told without a model.

    tasks: how many were played, of ``size`` in the split. samples: of each task on each rung. short: why
    there were fewer than asked for, or "". how_oracle_goes_on: in words, what it does after a random call.
    drawn: in words, where random calls are from. curves: of ``all`` first, then of each level. signal_from:
    the epsilon of the least skilled rung from which enough groups have variance; None where none has.
    bound: the share of the oracle's return that no player who does not look should earn. models: what real
    models earned, where they were asked.
    """

    environment: str
    title: str
    archetype: str
    split: str
    size: int
    tasks: int
    samples: int
    episodes: int
    seconds: float
    short: str
    how_oracle_goes_on: str
    drawn: str
    reward_range: tuple[float, float]
    curves: list[Curve]
    lazy: list[LazyPlayer]
    by_task: list[TaskRow]
    bound: float
    signal_from: float | None
    findings: list[StudyFinding]
    advice: list[str]
    verdict: Verdict
    because: str
    models: list[dict[str, Any]] = []

    @property
    def ok(self) -> bool:
        """Whether no finding fails."""
        return all(finding.level != "fail" for finding in self.findings)
