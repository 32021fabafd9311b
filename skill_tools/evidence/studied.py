"""What a study saw: players of known skill, and players who do not look, on the tasks of a split."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from skill_tools.evidence.trajectory import Tried


class _Seen(BaseModel):
    """What a process reported: read once, and whole."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class OracleEpisode(_Seen):
    """The oracle's episode on one task.

    top: the most that the task pays; None where the author's code failed to say it. error: why the
    oracle has no solution, or "", with kind the class of what it raised. solving: seconds until it had one.
    took: seconds of the episode.
    goes_on: whether the oracle offers ``next_call``. offers: whether the world offers ``valid_calls``.
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
    """One episode of a policy of the ladder.

    epsilon: the probability of a random call; None for the oracle with exactly one. total (``return``
    in JSON): None where the environment broke, and failure says how. randoms: calls of it that were
    random. lost: what the oracle raised when it was asked how to continue, or "".
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

    index: its place in the split, from 0. level: the one that it is counted with. top: the most that it
    pays. error: why the oracle has no solution of it, or "".
    """

    index: int
    level: str
    top: float
    error: str = ""


class BlindEpisode(_Seen):
    """An episode of a player who does not look at the task: who in words, and what it earned."""

    words: str
    index: int
    total: float
    steps: int


class StudyScope(_Seen):
    """What is studied: ``size`` tasks of a split, with ``samples`` episodes of each task on each rung.

    The first rung, on which the oracle always does the same, plays once. short: why fewer were played, or "".
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
    """All that was played for a study.

    levels: in the author's order where ``ordered``, from easy to hard. goes_on: by
    which means the oracle plays on after a random call. drawn: where random calls are from. asked: how
    many tasks and samples were asked for. seconds: on the clock. bound: the share of the oracle's return that a
    player who does not look may earn, where somebody asked for one.
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
