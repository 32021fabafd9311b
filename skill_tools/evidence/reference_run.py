"""The reference run: the episodes of the bare domain, with which every variant is compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from skill_tools.evidence.trajectory import Played, Trajectory
from skill_tools.spec.readers.readings import Readings


@dataclass(frozen=True)
class Unsolved:
    """A task that the oracle did not solve. If ``alone``, the oracle solves the task in a separate process.

    ``where`` is the author's line that raised the exception, as file:line, or "".
    """

    message: str
    kind: str = ""
    where: str = ""
    alone: bool = False


@dataclass(frozen=True)
class Tasks:
    """The played tasks, which are the first tasks of a split.

    Attributes:
        sizes: The size of every split.
        unsolved: Why the oracle gave no solution, by label.
        changed: The labels of tasks that have a different solution in another process.
        redealt: The tasks in any split that are different in another process.
        bests: Each task's maximum return, by label, if the author defines maxima per task.
        untold: Why a task has no maximum, by label.
    """

    split: str
    tasks: list[dict[str, Any]]
    sizes: dict[str, int]
    unsolved: dict[str, Unsolved] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    redealt: tuple[str, ...] = ()
    bests: dict[str, float] = field(default_factory=dict)
    untold: dict[str, str] = field(default_factory=dict)

    def of(self, trajectory: Trajectory) -> dict[str, Any] | None:
        """Return the task of an episode, or None if the task is not among the played tasks."""
        index = trajectory.index
        if trajectory.split != self.split or index is None or index >= len(self.tasks):
            return None
        return self.tasks[index]


@dataclass(frozen=True)
class DomainClass:
    """Facts found by importing the domain.

    Attributes:
        tools: The parameter names of each tool's method, if there is a method.
        missing: Required methods that the class does not have.
        invalid_action: Whether there is an InvalidAction exception.
        closes: Whether there is a close() method.
        status: Whether there is a status() method.
    """

    module: str
    name: str
    tools: dict[str, list[str]]
    missing: list[str]
    invalid_action: bool
    closes: bool
    status: bool = False


@dataclass(frozen=True)
class ReferenceRun:
    """The runs on the author's domain alone, without any framework.

    Attributes:
        survey: The id and fields of every task, by split.
        tasks: The tasks that were played.
        episodes: One episode per process.
        repeat: The same episodes, repeated in a second process with other hash seeds.
        interleaved: The oracle's episodes, interleaved in one process.
        reversed: The oracle's episodes, with the last task first.
        reseeded: The oracle's episodes with other seeds.
        examples_replay: The author's examples, played.
        readings: The notes of a reader of the prompts alone.
        readings_replay: The examples in these notes, played.
    """

    domain: DomainClass | None = None
    survey: dict[str, list[tuple[Any, list[str]]]] | None = None
    tasks: Tasks | None = None
    episodes: Played | None = None
    repeat: Played | None = None
    interleaved: dict[str, Trajectory] | None = None
    reversed: dict[str, Trajectory] | None = None
    reseeded: dict[str, Trajectory] | None = None
    examples_replay: list[Trajectory] | None = None
    readings: Readings | None = None
    readings_replay: list[Trajectory] | None = None
