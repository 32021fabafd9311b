"""The results of probes: their attempts, and results about the domain as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from skill_tools.evidence.calls import show_calls
from skill_tools.evidence.surveyed import (
    Chance,
    Coverage,
    Endured,
    Opened,
    RandomEpisode,
    Solved,
    Unbroken,
    Undealt,
)
from skill_tools.evidence.trajectory import Trajectory


@dataclass(frozen=True)
class Attempt:
    """One attempt of a probe on the bare domain.

    Attributes:
        probe: Name of the probe (see ``probes``).
        words: Description of the change, for people.
        of: Label of the oracle's episode that the attempt varies.
        change: The same change as data.
        seconds: Duration of the attempt's slowest call.
        compared: The episode to compare the attempt with.
        after: Description of the changes by further calls after the end.
    """

    probe: str
    words: str
    of: str
    trajectory: Trajectory
    change: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    compared: Trajectory | None = None
    after: str = ""

    @property
    def calls(self) -> str:
        """Return the attempt's calls in one line: the last four calls, and the number of earlier calls."""
        return show_calls((step.tool, step.arguments) for step in self.trajectory.steps)


@dataclass(frozen=True)
class Probed:
    """The results of probes on the bare domain.

    Attributes:
        attempts: Attempts by probe.
        opened: The opening of every task.
        read: Task fields that the domain reads.
        solved: The oracle's episodes on further tasks of all splits.
        reseeded: The oracle's episodes under other seeds.
        endured: The resources that many episodes leave in a process; None without a result.
        unanswered: The reason why a probe has no result, by probe.
        answered: Probes of the domain as a whole that have a result.
        untimed: Probes skipped for lack of time.
        sizes: Number of tasks by split.
        undealt: Lists of values in the tasks' module, if tasks use only some of the values.
        mutated: Tasks that an episode changed.
        unlike: Oracle episodes whose answers differ in form from all answers in played episodes.
        wandered: Returns of random legal play, by task.
        unbroken: A call that got an ordinary reply although its sandbox was lost, if any.
        unreached: Branches for named values that no episode took; None if too few episodes were watched.
        chance: Results of many deals, if luck affects the return.
        asked: How a solution changed when status() was called more often; "" if it did not change.
        unlearned: The reason why the shortcut player learned nothing, or "".
    """

    attempts: dict[str, list[Attempt]] = field(default_factory=dict)
    opened: list[Opened] = field(default_factory=list)
    read: frozenset[str] = frozenset()
    solved: list[Solved] = field(default_factory=list)
    reseeded: list[Solved] = field(default_factory=list)
    endured: Endured | None = None
    unanswered: dict[str, str] = field(default_factory=dict)
    answered: frozenset[str] = frozenset()
    untimed: frozenset[str] = frozenset()
    sizes: dict[str, int] = field(default_factory=dict)
    undealt: list[Undealt] = field(default_factory=list)
    mutated: list[str] = field(default_factory=list)
    unlike: dict[str, Trajectory] = field(default_factory=dict)
    wandered: list[RandomEpisode] = field(default_factory=list)
    unbroken: Unbroken | None = None
    unreached: Coverage | None = None
    chance: Chance | None = None
    asked: str = ""
    unlearned: str = ""
