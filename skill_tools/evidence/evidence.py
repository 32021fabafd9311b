"""Evidence: everything observed about an environment, for checks to read."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skill_tools.evidence.audited import FILLER, Audited
from skill_tools.evidence.certificate import PortRun
from skill_tools.evidence.declaration import Declaration, Excepted
from skill_tools.evidence.grading.graded import Graded
from skill_tools.evidence.grading.reviewed import Review
from skill_tools.evidence.grading.rows import RowSurvey
from skill_tools.evidence.probed import Probed
from skill_tools.evidence.studied import Studied
from skill_tools.evidence.trajectory import Origins, Played, Trajectory
from skill_tools.render.writer import FileState
from skill_tools.spec.model import EnvSpec
from skill_tools.spec.readers.readings import Readings

POLICIES = {
    "oracle": "plays the author's solution",
    "random": "draws from the domain's valid_calls(), or else what the tool schemas allow",
    "noop": "replies in text and calls no tool",
    "malformed": "breaks the tool schemas in all the ways that models do",
    "early_stop": "plays the first half of the solution, then stops",
    "past_done": "plays the solution in one message and calls twice more after the end",
    "example": "plays the worked examples in env.yaml, only the first one for each task",
    "turn_limit": "repeats a call that is refused until a limit ends the episode",
}

BARE = "domain"
"""The name of the bare domain, used in place of a framework's name."""


@dataclass(frozen=True)
class Unsolved:
    """A task that the oracle did not solve, or (``alone``) solved only after other tasks.

    ``where`` is the author's line that raised, as file:line, or "".
    """

    message: str
    kind: str = ""
    where: str = ""
    alone: bool = False


@dataclass(frozen=True)
class Tasks:
    """The tasks that were played: the first ones in a split; ``sizes`` has the size of every split.

    ``unsolved`` says why the oracle gave no solution, by label. ``changed`` lists the labels of
    tasks that have a different solution in another process, and ``redealt`` the tasks in any split
    that are different there. ``bests`` has each task's maximum return, by label, if the author
    defines maxima per task; ``untold`` says why a task has none.
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
        """Return the task of an episode, or None if the episode's task is not one of these."""
        index = trajectory.index
        if trajectory.split != self.split or index is None or index >= len(self.tasks):
            return None
        return self.tasks[index]


@dataclass(frozen=True)
class DomainClass:
    """Facts found by importing the domain.

    ``tools`` has the parameter names of each tool's method, if there is one; ``missing`` lists required methods that
    the class does not have. The flags report an InvalidAction exception, a close() and a status() method.
    """

    module: str
    name: str
    tools: dict[str, list[str]]
    missing: list[str]
    invalid_action: bool
    closes: bool
    status: bool = False


def lead(by_policy: Container[str]) -> str:
    """Return the policy whose episodes are replayed: the oracle, or random play if the oracle solved no task."""
    return "oracle" if "oracle" in by_policy else "random"


@dataclass(frozen=True)
class ReferenceRun:
    """The runs on the author's domain alone, without any framework.

    ``survey`` has the id and fields of every task, by split; ``tasks`` those that were played. ``episodes`` has one
    episode per process; ``repeat`` repeats them in a second process with other hash seeds. The oracle is also played
    ``interleaved`` in one process, ``reversed`` (last task first) and ``reseeded``. ``examples_replay`` has the
    played examples of the author. ``readings`` has the notes of a reader of the prompts alone, and
    ``readings_replay`` the played examples in them.
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
    """The runs in the variants.

    ``rollouts`` has the episodes in each variant, and ``broken`` the reason if one did not run. ``most`` limits the
    number of tasks, and ``minutes`` is the estimate for all tasks if time was the reason. ``origins`` records what the
    episodes depend on and whether an earlier build played them. ``in_text`` names the variants with text actions and no
    tools. ``packages`` has the installed version of each package that env.yaml declares, by variant.
    """

    rollouts: dict[str, Played] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    most: int | None = None
    minutes: float = 0.0
    origins: Origins = field(default_factory=dict)
    in_text: frozenset[str] = frozenset()
    packages: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The variants that were played or should have been."""
        return [*self.rollouts, *self.broken]

    @property
    def scripted(self) -> dict[str, Played]:
        """The scripted policies' episodes in each variant."""
        return {
            name: {policy: by_label for policy, by_label in played.items() if policy in POLICIES}
            for name, played in self.rollouts.items()
        }


@dataclass(frozen=True)
class AuditRun:
    """The observations of an audit.

    ``audited`` has those beyond the rollouts of a foreign environment, ``graded`` the rewards of right and wrong
    answers, and ``rows`` a survey of the dataset's rows over all splits.
    """

    audited: Audited | None = None
    graded: Graded | None = None
    rows: RowSurvey | None = None

    @property
    def replayed(self) -> Played:
        """The episodes repeated in another process."""
        return self.audited.again if self.audited else {}

    @property
    def other_seeds(self) -> Played:
        """The episodes with other seeds."""
        return self.audited.reseeded if self.audited else {}

    @property
    def side_by_side(self) -> Played:
        """The episodes of two concurrent sessions."""
        return self.audited.together if self.audited else {}

    @property
    def states(self) -> list[Any]:
        """The state reported in each episode that was asked for it."""
        return self.audited.states if self.audited else []


@dataclass(frozen=True)
class Evidence:
    """Everything observed. A field is None if it was not examined.

    Checks that need such a field are skipped. Only the declaration is always present. ``spec`` and ``folder`` are set
    for environments that skill-tools renders. ``sources`` has a hash of each of the author's files, ``files`` each
    rendered file, ``imports`` the imports of each domain file, and ``variables`` the secrets' environment variables
    that they read, with the line. ``packaged`` says what fails with the bundled files alone, or "". ``review`` has a
    reader's claims, ``port`` a certificate, and ``studied`` a learnability study.
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
    review: Review | None = None
    port: PortRun | None = None
    studied: Studied | None = None
    seconds: float = 0.0

    @property
    def home(self) -> Path:
        """The environment's folder. Raises ValueError if it has none, as in an audit."""
        if self.folder is None:
            raise ValueError(f"{self.declaration.name} is not in a folder that skill-tools knows")
        return self.folder

    @property
    def played(self) -> dict[str, Played]:
        """All episodes: the reference run first, as ``BARE``, then each variant."""
        bare = {BARE: self.reference.episodes} if self.reference.episodes else {}
        return {**bare, **self.variants.rollouts}

    @property
    def every(self) -> list[Trajectory]:
        """Every episode."""
        return [t for played in self.played.values() for by in played.values() for t in by.values()]

    @property
    def scored(self) -> list[Trajectory]:
        """Every episode that has a return."""
        return [trajectory for trajectory in self.every if trajectory.total is not None]

    @property
    def leading(self) -> Played:
        """The bare domain's oracle episodes as {"oracle": …}, otherwise the random ones."""
        policy = lead(self.reference.episodes or ())
        return {policy: (self.reference.episodes or {}).get(policy, {})}

    @property
    def unsolved(self) -> dict[str, Unsolved]:
        """Why the oracle gave no solution for some tasks, by label."""
        return self.reference.tasks.unsolved if self.reference.tasks else {}

    @property
    def with_tasks(self) -> list[tuple[Trajectory, dict[str, Any]]]:
        """Every episode whose task is known, paired with that task."""
        tasks = self.reference.tasks
        pairs = ((each, tasks and tasks.of(each)) for each in self.every)
        return [(trajectory, task) for trajectory, task in pairs if task]

    @property
    def every_bare(self) -> list[Trajectory]:
        """Every episode on the bare domain, probes included."""
        bare = [t for by in (self.reference.episodes or {}).values() for t in by.values()]
        tried = self.probed.attempts.values() if self.probed else ()
        return [*bare, *(each.trajectory for several in tried for each in several)]

    @property
    def pictured(self) -> list[Trajectory]:
        """Every episode on the bare domain that showed a picture."""
        return [t for t in self.every_bare if t.shows_pictures]

    @property
    def fillers(self) -> list[Trajectory]:
        """The episodes of an audit that contain only filler."""
        return [t for t in self.every if t.model.startswith(FILLER) and t.steps]

    @property
    def secrets(self) -> list[str]:
        """The task fields that are declared hidden."""
        return self.declaration.hidden or []

    @property
    def exceptions(self) -> list[Excepted]:
        """The declared exceptions of this environment."""
        return self.declaration.exceptions

    @property
    def baseline(self) -> tuple[str, Played] | None:
        """The runs with which every variant is compared, and their name: the reference run, if there is one.

        Otherwise it is another variant, preferably one that shows tools, with its scripted policies: only their
        actions are the same in all variants. None if scripted policies did not play a second variant.
        """
        if self.reference.episodes:
            return BARE, self.reference.episodes
        scripted = self.variants.scripted
        there = sorted(
            (name for name in scripted if scripted[name]), key=self.variants.in_text.__contains__
        )
        return (there[0], scripted[there[0]]) if len(there) > 1 else None
