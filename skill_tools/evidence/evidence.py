"""Evidence: everything that was seen of an environment, for checks to read."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skill_tools.evidence.audited import FILLER, Audited
from skill_tools.evidence.declaration import Declaration, Excepted
from skill_tools.evidence.trajectory import Played, Trajectory
from skill_tools.render.writing import FileState
from skill_tools.spec.model import EnvSpec

POLICIES = {
    "oracle": "plays the author's solution",
    "random": "draws from the domain's valid_calls(), or else what the tool schemas allow",
    "noop": "answers in text and calls no tool",
    "malformed": "breaks the tool schemas in every way that a model does",
    "early_stop": "plays the first half of the solution, then stops",
    "past_done": "plays the solution in one message and calls twice more after the end",
    "example": "plays the worked examples of env.yaml, of several of a task the first",
    "turn_limit": "repeats a call that is refused until a limit ends the episode",
}

BARE = "domain"
"""Stands for the bare domain where the names of frameworks stand."""


@dataclass(frozen=True)
class Unsolved:
    """A task that the oracle did not solve: it raised, or (alone) only did after other tasks.

    where: the author's line at which it was raised, as file:line, or "".
    """

    message: str
    kind: str = ""
    where: str = ""
    alone: bool = False


@dataclass(frozen=True)
class Tasks:
    """The tasks that were played: a split, its first tasks, and the size of every split.

    unsolved: by label, why the oracle gave no solution, or none when it had solved others. changed:
    the labels of tasks for which it gave another solution in another process. redealt: the tasks of all
    splits that were others there, as split/place.
    """

    split: str
    tasks: list[dict[str, Any]]
    sizes: dict[str, int]
    unsolved: dict[str, Unsolved] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    redealt: tuple[str, ...] = ()

    def of(self, trajectory: Trajectory) -> dict[str, Any] | None:
        """The task that an episode was about, if it is one of these."""
        index = trajectory.index
        if trajectory.split != self.split or index is None or index >= len(self.tasks):
            return None
        return self.tasks[index]


@dataclass(frozen=True)
class DomainClass:
    """What importing the domain showed.

    tools: parameter names of each tool's method, where there is one. missing: methods that every
    domain has, but not this one. invalid_action: whether there is such an exception. closes:
    whether there is a close().
    """

    module: str
    name: str
    tools: dict[str, list[str]]
    missing: list[str]
    invalid_action: bool
    closes: bool


@dataclass(frozen=True)
class Attempt:
    """One try of a probe on the bare domain.

    probe: its name (see ``probes``). words: what was changed, for people. of: the label of the
    oracle's episode that it varies. change: what was changed, as data. seconds: of its slowest call.
    compared: the episode that it is to be compared with. after: what further calls changed after
    the end.
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


def lead(by_policy: Container[str]) -> str:
    """The policy whose episodes are played again in other ways: the oracle, if it solved any task."""
    return "oracle" if "oracle" in by_policy else "random"


def show_calls(calls: Iterable[tuple[str, Any]]) -> str:
    """Calls as one line: the last four, and how many there were before."""
    written = [f"{tool}({json.dumps(given, ensure_ascii=False)[:120]})" for tool, given in calls]
    before = [f"{len(written) - 4} calls"] if len(written) > 4 else []
    return ", ".join([*before, *written[-4:]]) or "no call"


@dataclass(frozen=True)
class Probed:
    """What players and looks that exploit an environment found on the bare domain.

    attempts: by probe. opened: every task's opening. read: the task fields that the domain reads. solved: the
    oracle on tasks of all splits beyond those played; reseeded: under more seeds; ``shown`` is the episode,
    if kept. endured: what a process holds before and after many episodes, and plays then. unanswered: by
    probe, why nothing came of it. answered: those of the domain as a whole that were. untimed: those for
    which no time was left. sizes: tasks by split. undealt: lists of the tasks' module whose values are in
    tasks, and which are in none. mutated: tasks that an episode changed. unlike: the oracle's episodes whose
    answers look like none that were played. wandered: what random legal play earned, by task. unbroken: what
    a call said whose sandbox was gone. unreached: branches for named values that nothing took, and how many
    episodes were watched.
    """

    attempts: dict[str, list[Attempt]] = field(default_factory=dict)
    opened: list[dict[str, Any]] = field(default_factory=list)
    read: frozenset[str] = frozenset()
    solved: list[dict[str, Any]] = field(default_factory=list)
    reseeded: list[dict[str, Any]] = field(default_factory=list)
    endured: dict[str, Any] = field(default_factory=dict)
    unanswered: dict[str, str] = field(default_factory=dict)
    answered: frozenset[str] = frozenset()
    untimed: frozenset[str] = frozenset()
    sizes: dict[str, int] = field(default_factory=dict)
    undealt: list[dict[str, Any]] = field(default_factory=list)
    mutated: list[str] = field(default_factory=list)
    unlike: dict[str, Trajectory] = field(default_factory=dict)
    wandered: list[dict[str, Any]] = field(default_factory=list)
    unbroken: dict[str, Any] = field(default_factory=dict)
    unreached: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Evidence:
    """What was seen. A field is None when it was not looked at, and checks over it are skipped.

    spec, folder: where the environment is one of ours. sources: a hash of each of the author's
    files. files: each rendered file on disk. imports: what each file of the domain imports. domain:
    the domain class. survey: id and fields of every task, by split. tasks: those played. reference:
    the scripts on the bare domain, each episode alone. repeat: the same in another process.
    interleaved: the oracle's in alternation in one process. reversed: the same one by one, last
    task first. reseeded: the oracle's scripts under other seeds. probed: what exploiting players
    found. worked: the author's examples on the bare domain. shipped: what is wrong with a bundle's
    files alone, or "". rollouts: what was played in each variant. broken: why a variant was not
    played. in_text: the variants in which actions are text. audited: what else was seen of one that
    we did not render.
    """

    declaration: Declaration
    spec: EnvSpec | None = None
    folder: Path | None = None
    sources: dict[str, str] | None = None
    files: list[FileState] | None = None
    imports: dict[str, list[str]] | None = None
    oracle_module: str | None = None
    domain: DomainClass | None = None
    survey: dict[str, list[tuple[Any, list[str]]]] | None = None
    tasks: Tasks | None = None
    reference: Played | None = None
    repeat: Played | None = None
    interleaved: dict[str, Trajectory] | None = None
    reversed: dict[str, Trajectory] | None = None
    reseeded: dict[str, Trajectory] | None = None
    probed: Probed | None = None
    worked: list[Trajectory] | None = None
    shipped: str | None = None
    rollouts: dict[str, Played] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    in_text: frozenset[str] = frozenset()
    audited: Audited | None = None
    seconds: float = 0.0

    @property
    def played(self) -> dict[str, Played]:
        """Everything that was played: the reference run first, as ``BARE``, then each variant."""
        bare = {BARE: self.reference} if self.reference else {}
        return {**bare, **self.rollouts}

    @property
    def every(self) -> list[Trajectory]:
        """Every episode that was played."""
        return [t for played in self.played.values() for by in played.values() for t in by.values()]

    @property
    def scored(self) -> list[Trajectory]:
        """Every episode that was played and has a return."""
        return [trajectory for trajectory in self.every if trajectory.total is not None]

    @property
    def leading(self) -> Played:
        """The oracle's episodes on the bare domain as {"oracle": …}; a random player's without any."""
        policy = lead(self.reference or ())
        return {policy: (self.reference or {}).get(policy, {})}

    @property
    def unsolved(self) -> dict[str, Unsolved]:
        """Why the oracle gave no solution of some tasks, by label."""
        return self.tasks.unsolved if self.tasks else {}

    @property
    def with_tasks(self) -> list[tuple[Trajectory, dict[str, Any]]]:
        """Every episode that was played whose task is known, and that task."""
        pairs = (
            (trajectory, self.tasks and self.tasks.of(trajectory)) for trajectory in self.every
        )
        return [(trajectory, task) for trajectory, task in pairs if task]

    @property
    def every_bare(self) -> list[Trajectory]:
        """Every episode that was played or tried on the bare domain."""
        bare = [t for by_label in (self.reference or {}).values() for t in by_label.values()]
        tried = self.probed.attempts.values() if self.probed else ()
        return [*bare, *(each.trajectory for several in tried for each in several)]

    @property
    def pictured(self) -> list[Trajectory]:
        """Every episode of the bare domain in which a picture was shown."""
        return [t for t in self.every_bare if any("[image" in s.text for s in t.steps)]

    @property
    def replayed(self) -> Played:
        """What an audit played again, in another process."""
        return self.audited.again if self.audited else {}

    @property
    def other_seeds(self) -> Played:
        """What an audit played with other seeds."""
        return self.audited.reseeded if self.audited else {}

    @property
    def side_by_side(self) -> Played:
        """What an audit played in two sessions at once."""
        return self.audited.together if self.audited else {}

    @property
    def states(self) -> list[Any]:
        """What the state said in every episode of an audit in which it was asked."""
        return self.audited.states if self.audited else []

    @property
    def fillers(self) -> list[Trajectory]:
        """The episodes of an audit in which nothing but filler was written."""
        return [t for t in self.every if t.model.startswith(FILLER) and t.steps]

    @property
    def secrets(self) -> list[str]:
        """The task fields that are declared hidden."""
        return self.declaration.hidden or []

    @property
    def exceptions(self) -> list[Excepted]:
        """What is declared to be right in this environment."""
        return self.declaration.exceptions

    @property
    def variants(self) -> list[str]:
        """The variants that were played, or should have been."""
        return [*self.rollouts, *self.broken]

    @property
    def baseline(self) -> tuple[str, Played] | None:
        """What every variant is compared with, and its name: the reference run, if there is one.

        Otherwise a variant, one that shows tools if there is any, with what the scripted policies
        played in it: only their actions are the same in the others. None where no other variant
        was played by one of them.
        """
        if self.reference:
            return BARE, self.reference
        scripted = self.scripted
        there = sorted((name for name in scripted if scripted[name]), key=self.in_text.__contains__)
        return (there[0], scripted[there[0]]) if len(there) > 1 else None

    @property
    def scripted(self) -> dict[str, Played]:
        """What scripted policies played in each variant."""
        return {
            name: {policy: by_label for policy, by_label in played.items() if policy in POLICIES}
            for name, played in self.rollouts.items()
        }
