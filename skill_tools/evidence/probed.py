"""What probes found: their attempts, and what was asked of the domain as a whole."""

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
    """One try of a probe on the bare domain.

    probe: its name (see ``probes``). words: what was changed, for people; change: as data. of: the
    label of the oracle's episode that it varies. seconds: of its slowest call. compared: the episode
    to compare it with. after: what further calls changed after the end.
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
        """What was called up to the end, in short."""
        return show_calls((step.tool, step.arguments) for step in self.trajectory.steps)


@dataclass(frozen=True)
class Probed:
    """What probes found on the bare domain.

    attempts: by probe. opened: every task's opening. read: the task fields that the domain reads.
    solved: the oracle on tasks of all splits beyond those played; reseeded: under more seeds. endured:
    what many episodes leave in a process; None where that was not asked or answered. unanswered: by probe,
    why nothing came of it. answered: those of the domain as a whole that were. untimed: those for which no
    time was left. sizes: tasks by split. undealt: lists of the tasks' module whose values are in tasks, and
    which are in none. mutated: tasks that an episode changed. unlike: the oracle's episodes whose answers
    look like none that were played. wandered: what random legal play earned, by task. unbroken: a call that
    was answered though its sandbox was gone; None if none was. asked: what else came of a solution when
    status() was asked for more often; "" if nothing did. unlearned: why the shortcut player learned
    nothing, or "". unreached: branches for named values that nothing took; None where too few episodes were
    watched. chance: many deals, where luck decides.
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
