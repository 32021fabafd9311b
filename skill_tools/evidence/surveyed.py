"""Results about a domain as a whole: its tasks, the leftovers of many episodes, and branches never taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from skill_tools.evidence.trajectory import Failure, Trajectory, Tried


class _Whole(BaseModel):
    """A frozen report from another process; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class OfTask(_Whole):
    """Observations of one task; ``index`` is its place in the split, from 0."""

    split: str
    index: int

    @property
    def task(self) -> str:
        """Return the task as split/index."""
        return f"{self.split}/{self.index}"


class Opened(OfTask):
    """The opening of a task.

    Attributes:
        id: The author's id, if the task has an id.
        fields: A checksum of each field, by name.
        prompt: The first 20,000 characters of the opening; "" if there was no time to open the task.
        error: The reason why the task could not be opened, or "".
        took: Seconds that it took to open the task; 0.0 if the task did not open.
    """

    id: str | None
    seed: int
    fields: dict[str, str]
    prompt: str
    error: str
    took: float = 0.0


class FirstReply(_Whole):
    """The result of an episode's first call: up to 20,000 characters, and whether the call was refused."""

    text: str
    refused: bool


class ShownTask(OfTask):
    """The texts that a task shows before its deciding calls, and the oracle's calls.

    Attributes:
        prompt: The last 20,000 characters of the task's opening.
        calls: The oracle's calls, up to the call with the highest reward.
        won: Whether the oracle reached the task's maximum.
        said: The text that each examined call showed; None if the call broke or ended the episode.
        id: The task's id, or "".
    """

    prompt: str
    calls: list[tuple[str, dict[str, Any]]]
    won: bool
    said: list[FirstReply | None]
    id: str
    seed: int


class Solved(OfTask):
    """The oracle's episode on one task.

    ``total`` (``return`` in JSON), ``end`` and ``failure`` have the same meaning as in a trajectory.

    Attributes:
        seed: The seed, if it differs from the task's own seed.
        steps: Number of steps.
        refused: The first refused call and its message, or "".
        calls: A checksum of the calls and observations; None if the oracle returned no solution.
        best: The maximum return under that seed, if the author defines a maximum per task.
        shown: The episode, if it was kept.
    """

    seed: int | None
    steps: int
    refused: str = ""
    calls: str | None = None
    end: Literal["terminated", "truncated", "stopped", "failed"]
    total: float | None = Field(alias="return")
    failure: Failure | None
    best: float | None = None
    shown: Trajectory | None = None


class RandomEpisode(OfTask):
    """An episode of random legal play.

    ``total`` (``return`` in JSON) is None if the episode failed. ``best`` and ``shown`` are as in ``Solved``.
    """

    total: float | None = Field(alias="return")
    best: float | None = None
    shown: Trajectory | None = None


class Left(_Whole):
    """The resources that a process holds at some time; all fields except the last two are counts.

    Attributes:
        files_in_the_folder: Files next to the author's code.
        memory: Resident kilobytes.
        held: Sizes of the lists, dicts, sets and caches in the author's modules and classes, by module.name.
    """

    threads: int
    open_files: int
    processes: int
    temporary_files: int
    files_in_the_folder: int
    handlers_of_loggers: int
    memory: int
    held: dict[str, int | float]

    @property
    def counts(self) -> dict[str, int]:
        """Return the number of each kind of resource that episodes open, by name."""
        counted = (name for name in type(self).model_fields if name not in ("memory", "held"))
        return {name.replace("_", " "): getattr(self, name) for name in counted}


class Endured(_Whole):
    """The results of many episodes in one process, and what these episodes left behind.

    Attributes:
        episodes: Number of episodes between ``before`` and ``after``.
        before: The resources held after the warm-up; None if the process never warmed up.
        after: The resources held at the end.
        again: The first episodes, repeated.
        said: The first 200 characters of printed output.
        changed: Descriptions of the process-wide changes that an episode makes.
        unclosed: The number of resources, by kind, that a closed episode held until Python deleted the episode.
        reassigned: Values of modules and classes that changed, as module.name.
        new_files: New paths next to the code or in the working folder; at most five.
    """

    episodes: int
    before: Left | None
    after: Left
    again: list[Tried]
    said: str
    changed: list[str]
    unclosed: dict[str, int]
    reassigned: list[str]
    new_files: list[str]


class Undealt(_Whole):
    """A list in the tasks' module; tasks use some of its values, but not all.

    ``left`` has the values that no task uses, as texts, and ``of`` is the length of the list.
    """

    name: str
    left: list[str]
    of: int


class Unbroken(_Whole):
    """The first call that got an ordinary reply although its sandbox was gone.

    ``error`` is the kind of refusal; None if the call was accepted. ``said`` has the first 200
    characters of the observation.
    """

    tool: str
    error: str | None
    said: str


class Branch(_Whole):
    """A branch that tests for a named value and that no episode took.

    The condition is at ``file`` and ``line`` (from 1); ``condition`` has the condition's first 100 characters,
    and ``was`` says how often the condition was true.
    """

    file: str
    line: int
    condition: str
    was: Literal["never", "always"]


class Coverage(_Whole):
    """The untaken branches that test for named values, and the number of episodes watched."""

    untaken: list[Branch]
    episodes: int


DEALS = 3000
"""Maximum number of deals in a world of chance: enough to know the mean to within 2 % of the range."""


class Dealt(OfTask):
    """The returns of the oracle and of other players on one deal of a task.

    Attributes:
        own: Whether the seed is the task's own.
        total: The oracle's return (``return`` in JSON).
        others: The other players' returns, in the order of the players; None for a player that failed.
    """

    seed: int
    own: bool
    total: float = Field(alias="return")
    others: list[float | None]


class Foreseen(OfTask):
    """A decision of the oracle that differs from its decision on an earlier deal with the same visible history.

    Attributes:
        step: The decision's place in the episode, from 1.
        other: A description of the earlier deal.
        shown: The episode with the decision.
    """

    seed: int
    step: int
    call: str
    other: str
    other_call: str
    shown: Trajectory | None = None


class Chance(_Whole):
    """Results of many deals in a world of chance.

    Attributes:
        players: Descriptions of the players that always make the same call, or make random calls.
        compared: Number of the oracle's decisions whose history also occurred on an earlier deal.
        foreseen: The compared decisions that differ although the history is the same.
        cut: Whether there was no time for more deals.
    """

    players: list[str]
    dealt: list[Dealt]
    compared: int
    foreseen: Sequence[Foreseen]
    cut: bool = False
