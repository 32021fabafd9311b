"""Evidence: everything that was seen of an environment, for checks to read."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skill_tools.evidence.audited import FILLER, Audited
from skill_tools.evidence.declaration import Declaration, Excepted
from skill_tools.evidence.grading.graded import Graded
from skill_tools.evidence.grading.rows import RowSurvey
from skill_tools.evidence.origin import Origins
from skill_tools.evidence.probed import Probed
from skill_tools.evidence.studied import Studied
from skill_tools.evidence.trajectory import Played, Trajectory
from skill_tools.render.writer import FileState
from skill_tools.spec.model import EnvSpec
from skill_tools.spec.readings import Readings

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

    unsolved: by label, why the oracle gave no solution, or none after others. changed: labels of tasks
    with another solution in another process. redealt: tasks of any split that were others there. bests:
    by label, the most that a task pays, where the author says it of each; untold: why there is none.
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
        """The task that an episode was about, if it is one of these."""
        index = trajectory.index
        if trajectory.split != self.split or index is None or index >= len(self.tasks):
            return None
        return self.tasks[index]


@dataclass(frozen=True)
class DomainClass:
    """What importing the domain showed.

    tools: parameter names of each tool's method, where there is one. missing: methods that every domain has, but
    not this one. invalid_action, closes, status: whether it has such an exception, and such methods.
    """

    module: str
    name: str
    tools: dict[str, list[str]]
    missing: list[str]
    invalid_action: bool
    closes: bool
    status: bool = False


def lead(by_policy: Container[str]) -> str:
    """The policy whose episodes are played again in other ways: the oracle, if it solved any task."""
    return "oracle" if "oracle" in by_policy else "random"


@dataclass(frozen=True)
class ReferenceRun:
    """What the reference did: the author's domain alone, without any framework.

    domain: the domain class. survey: id and fields of every task, by split. tasks: those played.
    episodes: the scripts, each episode alone. repeat: the same in a second process with other hash
    seeds. interleaved: the oracle's episodes in alternation in one process. reversed: the same one by
    one, last task first. reseeded: the oracle's scripts under other seeds. examples_replay: the
    author's examples. readings: what a reader of the words alone wrote; readings_replay: its examples.
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


@dataclass(frozen=True)
class VariantRuns:
    """What the variants did.

    rollouts: the episodes of each. broken: why one did not run. most: how many of the tasks they
    were asked to play; None for all. minutes: the time that all tasks would have taken, if that was the
    reason for fewer. origins: what the episodes came of, and which of them are taken from an earlier build.
    in_text: those in which actions are text and no tools are shown.
    """

    rollouts: dict[str, Played] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    most: int | None = None
    minutes: float = 0.0
    origins: Origins = field(default_factory=dict)
    in_text: frozenset[str] = frozenset()

    @property
    def names(self) -> list[str]:
        """The variants that were played, or should have been."""
        return [*self.rollouts, *self.broken]

    @property
    def scripted(self) -> dict[str, Played]:
        """What scripted policies played in each variant."""
        return {
            name: {policy: by_label for policy, by_label in played.items() if policy in POLICIES}
            for name, played in self.rollouts.items()
        }


@dataclass(frozen=True)
class AuditRun:
    """What an audit saw.

    audited: what was seen beyond rollouts of an environment that we did not render. graded: what right and wrong
    answers earned. rows: the survey of the rows of a data set, its splits
    together.
    """

    audited: Audited | None = None
    graded: Graded | None = None
    rows: RowSurvey | None = None

    @property
    def replayed(self) -> Played:
        """The episodes that were repeated in another process."""
        return self.audited.again if self.audited else {}

    @property
    def other_seeds(self) -> Played:
        """The episodes with other seeds."""
        return self.audited.reseeded if self.audited else {}

    @property
    def side_by_side(self) -> Played:
        """The episodes of two sessions at once."""
        return self.audited.together if self.audited else {}

    @property
    def states(self) -> list[Any]:
        """What the state said in every episode in which it was asked."""
        return self.audited.states if self.audited else []


@dataclass(frozen=True)
class Evidence:
    """What was seen. A field is None when it was not looked at, and checks over it are skipped.

    Only the declaration is always there. spec, folder: where the environment is one of ours. sources: a hash of
    each of the author's files. files: each rendered file, as on disk. imports: what each file of the domain imports.
    variables: those of the environment with a secret's name that each reads, with the line. packaged: what goes wrong
    with the files of a bundle alone, or "". Then its parts: what the reference did, what the variants did, what
    exploiting players found, what an audit saw, and what players of known skill earned, for a study alone.
    """

    declaration: Declaration
    spec: EnvSpec | None = None
    folder: Path | None = None
    sources: dict[str, str] | None = None
    files: list[FileState] | None = None
    imports: dict[str, list[str]] | None = None
    variables: dict[str, dict[str, int]] | None = None
    oracle_module: str | None = None
    packaged: str | None = None
    reference: ReferenceRun = ReferenceRun()
    variants: VariantRuns = field(default_factory=VariantRuns)
    probed: Probed | None = None
    audit: AuditRun = AuditRun()
    studied: Studied | None = None
    seconds: float = 0.0

    @property
    def home(self) -> Path:
        """The environment's folder; raises ValueError where it has none, as another's has."""
        if self.folder is None:
            raise ValueError(f"{self.declaration.name} is in no folder of ours")
        return self.folder

    @property
    def played(self) -> dict[str, Played]:
        """Everything that was played: the reference run first, as ``BARE``, then each variant."""
        bare = {BARE: self.reference.episodes} if self.reference.episodes else {}
        return {**bare, **self.variants.rollouts}

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
        policy = lead(self.reference.episodes or ())
        return {policy: (self.reference.episodes or {}).get(policy, {})}

    @property
    def unsolved(self) -> dict[str, Unsolved]:
        """Why the oracle gave no solution of some tasks, by label."""
        return self.reference.tasks.unsolved if self.reference.tasks else {}

    @property
    def with_tasks(self) -> list[tuple[Trajectory, dict[str, Any]]]:
        """Every episode that was played whose task is known, and that task."""
        pairs = (
            (trajectory, self.reference.tasks and self.reference.tasks.of(trajectory))
            for trajectory in self.every
        )
        return [(trajectory, task) for trajectory, task in pairs if task]

    @property
    def every_bare(self) -> list[Trajectory]:
        """Every episode that was played or tried on the bare domain."""
        bare = [
            t for by_label in (self.reference.episodes or {}).values() for t in by_label.values()
        ]
        tried = self.probed.attempts.values() if self.probed else ()
        return [*bare, *(each.trajectory for several in tried for each in several)]

    @property
    def pictured(self) -> list[Trajectory]:
        """Every episode of the bare domain in which a picture was shown."""
        return [t for t in self.every_bare if any("[image" in s.text for s in t.steps)]

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
    def baseline(self) -> tuple[str, Played] | None:
        """What every variant is compared with, and its name: the reference run, if there is one.

        Otherwise a variant, one that shows tools if there is any, with what the scripted policies
        played in it: only their actions are the same in the others. None where no other variant
        was played by one of them.
        """
        if self.reference.episodes:
            return BARE, self.reference.episodes
        scripted = self.variants.scripted
        there = sorted(
            (name for name in scripted if scripted[name]), key=self.variants.in_text.__contains__
        )
        return (there[0], scripted[there[0]]) if len(there) > 1 else None
