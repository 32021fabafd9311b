"""Evidence: everything observed about an environment, for checks to read."""

from __future__ import annotations

from collections.abc import Container, Iterable
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
from skill_tools.evidence.reference_run import ReferenceRun, Tasks, Unsolved
from skill_tools.evidence.studied import Studied
from skill_tools.evidence.trajectory import Origins, Played, Trajectory
from skill_tools.render.writer import FileState
from skill_tools.spec.model import EnvSpec

POLICIES = {
    "oracle": "plays the author's solution",
    "random": "draws calls from the domain's valid_calls(), or else calls that the tool schemas allow",
    "noop": "replies in text and calls no tool",
    "malformed": "breaks the tool schemas in all the ways that models do",
    "early_stop": "plays the first half of the solution, then stops",
    "past_done": "plays the solution in one message and calls twice more after the end",
    "example": "plays the worked examples in env.yaml, but only the first for each task",
    "turn_limit": "repeats a call that is refused until a limit ends the episode",
}

BARE = "domain"
"""The name of the bare domain, used in place of a framework's name."""


def lead(by_policy: Container[str]) -> str:
    """Return the policy whose episodes are replayed: the oracle, or random play if the oracle solved no task."""
    return "oracle" if "oracle" in by_policy else "random"


@dataclass(frozen=True)
class VariantRuns:
    """The runs in the variants.

    Attributes:
        rollouts: The episodes in each variant.
        broken: The reason why a variant did not run, by variant.
        most: The maximum number of tasks per variant.
        minutes: The estimated minutes for all tasks, if time is the reason for ``most``.
        origins: The dependencies of the episodes, and whether an earlier build played them.
        in_text: The variants with text actions and no tools.
        packages: The installed version of each package that env.yaml declares, by variant.
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
        """The variants that were played, or that did not run."""
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

    Attributes:
        audited: Observations of a foreign environment in addition to its rollouts.
        graded: The rewards of right and wrong answers.
        rows: A survey of the dataset's rows over all splits.
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
        """The reported states, for each episode that reported its state."""
        return self.audited.states if self.audited else []


@dataclass(frozen=True)
class Evidence:
    """Everything observed. A field is None if it was not examined.

    Checks that need a field which is None are skipped. Only the declaration is always present.

    Attributes:
        spec, folder: Set for environments that skill-tools renders.
        sources: A hash of each of the author's files.
        files: The rendered files and their states.
        imports: The imports of each domain file.
        variables: The secrets' environment variables that each domain file reads, with the line.
        packaged: The failure if only the bundled files are present, or "".
        review: A reader's claims.
        port: A certificate.
        studied: A learnability study.
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
    reference: ReferenceRun = field(default_factory=ReferenceRun)
    variants: VariantRuns = field(default_factory=VariantRuns)
    probed: Probed | None = None
    audit: AuditRun = AuditRun()
    review: Review | None = None
    port: PortRun | None = None
    studied: Studied | None = None
    seconds: float = 0.0

    @property
    def home(self) -> Path:
        """The environment's folder. Raises ValueError if the environment has no folder, as in an audit."""
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
        """The bare domain's oracle episodes as {"oracle": …}, or otherwise its random episodes as {"random": …}."""
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
        """Every episode on the bare domain, including the attempts of probes."""
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
        """The name and the runs of the baseline, with which every variant is compared.

        The baseline is the reference run, if there is one. Otherwise it consists of the scripted policies' episodes
        in a variant, because only scripted actions are the same in all variants. A variant that shows tools is
        preferred. The baseline is None if scripted policies did not play a second variant.
        """
        if self.reference.episodes:
            return BARE, self.reference.episodes
        scripted = self.variants.scripted
        there = sorted(
            (name for name in scripted if scripted[name]), key=self.variants.in_text.__contains__
        )
        return (there[0], scripted[there[0]]) if len(there) > 1 else None


def gather_rollouts(
    declaration: Declaration,
    trajectories: Iterable[Trajectory],
    tasks: Tasks | None = None,
    *,
    in_text: Iterable[str] = (),
) -> Evidence:
    """Return evidence from trajectories alone, for an environment that skill-tools may not have rendered.

    If a policy played an episode several times, all trajectories of the episode are kept, as label, label#2, ...
    """
    rollouts: dict[str, Played] = {}
    for trajectory in trajectories:
        by_label = rollouts.setdefault(trajectory.framework, {}).setdefault(trajectory.model, {})
        label, times = trajectory.label, 1
        while label in by_label:
            times += 1
            label = f"{trajectory.label}#{times}"
        by_label[label] = trajectory.model_copy(update={"label": label})
    reference = rollouts.pop(BARE, None)
    return Evidence(
        declaration,
        reference=ReferenceRun(tasks=tasks, episodes=reference),
        variants=VariantRuns(rollouts=rollouts, in_text=frozenset(in_text)),
    )
