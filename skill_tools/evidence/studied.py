"""Observations of a study: episodes of blind players and of players of known skill, on a split's tasks."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from skill_tools.evidence.trajectory import Tried


class _Seen(BaseModel):
    """A frozen report from another process; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class OracleEpisode(_Seen):
    """The oracle's episode on one task.

    Attributes:
        top: The task's maximum return; None if the author's code failed to return it.
        error: The reason why the oracle has no solution, or "".
        kind: The class of the error.
        solving: Seconds that the oracle took to find a solution.
        took: Seconds that the episode took.
        goes_on: Whether the oracle has ``next_call``.
        offers: Whether the world has ``valid_calls``.
    """

    index: int
    top: float | None
    error: str
    kind: str
    calls: list[tuple[str, dict[str, Any]]]
    played: Tried
    solving: float
    took: float
    goes_on: bool
    offers: bool


class NoisyOracleEpisode(_Seen):
    """One episode of a noisy oracle.

    Attributes:
        epsilon: Probability of a random call; None for the oracle with exactly one random call.
        total: The return (``return`` in JSON); None if the environment broke.
        randoms: Number of random calls.
        failure: How the environment broke, or "".
        lost: The error that the oracle raised when it was asked for the next call, or "".
    """

    index: int
    epsilon: float | None
    sample: int
    total: float | None = Field(alias="return")
    steps: int
    randoms: int
    failure: str = ""
    lost: str = ""


class StudiedTask(_Seen):
    """A task of the study.

    Attributes:
        index: The task's place in the split, from 0.
        level: The level to which the task's results are assigned.
        top: The task's maximum return.
        error: The reason why the oracle has no solution for the task, or "".
    """

    index: int
    level: str
    top: float
    error: str = ""


class BlindEpisode(_Seen):
    """An episode of a player that does not look at the task; ``words`` describes the player."""

    words: str
    index: int
    total: float
    steps: int


class StudyScope(_Seen):
    """The scope of a study: ``size`` tasks in a split, ``samples`` episodes per task and skill level.

    The oracle plays each task only once if it is deterministic. ``short`` gives the reason if fewer episodes were
    played, or is "".
    """

    environment: str
    title: str
    archetype: str
    split: str
    size: int
    samples: int
    reward_range: tuple[float, float]
    short: str


class Studied(StudyScope):
    """All observations of a study.

    Attributes:
        levels: The levels; if ``ordered``, from easy to hard in the author's order.
        goes_on: The oracle's method that continues after a random call.
        drawn: The source of random calls.
        asked: The requested number of tasks and samples.
        seconds: Wall-clock time.
        bound: The maximum share of the oracle's return for a blind player, if a bound was requested.
    """

    luck: bool
    levels: list[str]
    ordered: bool
    goes_on: Literal["solve", "next_call"]
    drawn: Literal["valid_calls", "schemas"]
    asked: tuple[int, int]
    seconds: float
    tasks: list[StudiedTask]
    climbed: list[NoisyOracleEpisode]
    lazed: list[BlindEpisode]
    bound: float | None = None
