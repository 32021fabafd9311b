"""What was asked of a domain as a whole: all of its tasks, and what many episodes leave and never reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from skill_tools.evidence.trajectory import Failure, Trajectory, Tried


class _Whole(BaseModel):
    """What a process reported: read once, and whole."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class OfTask(_Whole):
    """What was seen of one task.

    split: its split. index: its place there, from 0.
    """

    split: str
    index: int

    @property
    def task(self) -> str:
        """The task as split/index."""
        return f"{self.split}/{self.index}"


class Opened(OfTask):
    """The opening of a task.

    id: as the author named it, if so. seed: its own. fields: a checksum of each, by name. prompt: the
    first 20,000 characters of what is shown first; "" where there was no time to open it. error: why
    it could not be opened, or "". took: seconds until it was open; 0.0 where it never was.
    """

    id: str | None
    seed: int
    fields: dict[str, str]
    prompt: str
    error: str
    took: float = 0.0


class FirstReply(_Whole):
    """What one call showed as the first of an episode, in at most 20,000 characters.

    refused: whether it was refused.
    """

    text: str
    refused: bool


class ShownTask(OfTask):
    """What a task shows before anything is decided, and the calls that decide it.

    prompt: its opening, the last 20,000 characters. calls: the oracle's up to the one that earned the
    most. won: whether the oracle earned the most that the task pays. said: what each call that was asked
    showed; None where that broke or ended the episode. id: "" where it has none. seed: its own.
    """

    prompt: str
    calls: list[tuple[str, dict[str, Any]]]
    won: bool
    said: list[FirstReply | None]
    id: str
    seed: int


class Solved(OfTask):
    """The oracle's episode on one task.

    seed: where it is another than the task's own. steps: how many. refused: the first call of its that
    was refused and what it was told, or "". calls: a checksum of the calls and of what they showed;
    None where the oracle gave no solution. total (``return`` in JSON), end, failure: as in a
    trajectory. best: the most that the task pays under that seed, where the author says it of each. shown:
    the episode, if it was kept.
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

    total (``return`` in JSON): None where it failed. best: as of ``Solved``. shown: the episode, if it
    was kept.
    """

    total: float | None = Field(alias="return")
    best: float | None = None
    shown: Trajectory | None = None


class Left(_Whole):
    """What a process holds at some time.

    All but the last two are how many there are. files_in_the_folder: next to the author's code.
    memory: kilobytes that are resident. held: sizes of the lists, dicts, sets and caches that modules
    and classes of the author's hold, by module.name.
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
        """How many there are of what episodes open, by what it is in words."""
        counted = (name for name in type(self).model_fields if name not in ("memory", "held"))
        return {name.replace("_", " "): getattr(self, name) for name in counted}


class Endured(_Whole):
    """Many episodes in one process, and what they left.

    episodes: how many lie between before and after. before: what the process held once it was warm;
    None if it never was. after: what it held then. again: the first episodes, played once more. said:
    the first 200 characters of what was printed. changed: what an episode changes of the whole process,
    in words. unclosed: how many more there were until a closed episode was dropped, by what it is.
    reassigned: values of modules and classes that are others, as module.name. new_files: paths that
    appeared next to the code or in the working folder, five at most.
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
    """A list in the tasks' module whose values are in tasks, except for some.

    name: the list's. left: the values that are in no task, as texts. of: how many it has.
    """

    name: str
    left: list[str]
    of: int


class Unbroken(_Whole):
    """The first call that used a sandbox that was gone, and was answered all the same.

    tool: what was called. error: the kind of refusal, None where it was played. said: the first 200
    characters of the answer.
    """

    tool: str
    error: str | None
    said: str


class Branch(_Whole):
    """A branch for a named value that nothing took.

    file, line: where its condition is; the line counts from 1. condition: its first 100 characters.
    was: how often it was true.
    """

    file: str
    line: int
    condition: str
    was: Literal["never", "always"]


class Coverage(_Whole):
    """The branches for named values that were watched, in how many episodes.

    untaken: those that nothing took. episodes: how many were watched.
    """

    untaken: list[Branch]
    episodes: int


DEALS = 3000
"""Maximum number of deals of a world of chance: their mean is exact to two hundredths of the range."""


class Dealt(OfTask):
    """What the oracle and others earned on one deal of a task.

    own: whether the seed is the task's own. total (``return`` in JSON): the oracle's. others: in the order of
    the players, None where one failed.
    """

    seed: int
    own: bool
    total: float = Field(alias="return")
    others: list[float | None]


class Foreseen(OfTask):
    """A decision of the oracle that is another than on an earlier deal, though it had been shown the same.

    step: its place in the episode, from 1. other: the earlier deal, in words. shown: the episode.
    """

    seed: int
    step: int
    call: str
    other: str
    other_call: str
    shown: Trajectory | None = None


class Chance(_Whole):
    """What was dealt in a world of chance.

    players: who made the same calls on all deals, or random ones, in words. compared: decisions of the
    oracle that came after all that had come before an earlier one. foreseen: those that were others then.
    cut: whether there was no time for more deals.
    """

    players: list[str]
    dealt: list[Dealt]
    compared: int
    foreseen: Sequence[Foreseen]
    cut: bool = False
