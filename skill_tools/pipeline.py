"""The steps of the work, each fed the last one's result: check, render, play, judge, report."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from skill_tools import archetypes, backends, checks
from skill_tools.errors import DomainError, Problem, RenderError, SpecError
from skill_tools.files import write_whole
from skill_tools.frameworks import FRAMEWORKS, known
from skill_tools.frameworks.rules import framework_problems, load
from skill_tools.play import policies
from skill_tools.play.evidence import (
    DEFAULT_TASKS,
    Evidence,
    Playbook,
    Progress,
    collect,
    inspect,
    play_domain,
    silent,
    write_scripts,
)
from skill_tools.play.policies import as_text
from skill_tools.play.policy_server import PolicyEndpoint
from skill_tools.play.reference import Query, one, play_job
from skill_tools.play.rollout import prepare, roll_out, variant_venv
from skill_tools.play.trajectory import Trajectory
from skill_tools.render.bundle import Bundle, write_bundle
from skill_tools.render.plan import inside, plan
from skill_tools.render.writing import FileState, on_request, refuse_edited, states, write
from skill_tools.report import summary
from skill_tools.spec.loading import SPEC_FILE
from skill_tools.spec.model import EnvSpec

ALL = "all"
"""Stands for every framework there is."""
RUNS = "runs"
"""Folder of an environment that holds its last report and trajectories."""


@dataclass(frozen=True)
class Outcome:
    """A report and the evidence behind it."""

    report: summary.Report
    evidence: Evidence


def start(folder: Path, archetype: str, name: str | None = None) -> list[str]:
    """Write a small working environment of an archetype into a new or empty folder.

    Raises RenderError when the folder already holds something, SpecError for a name that a
    framework reserves; then nothing is written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RenderError(f"{folder} is not empty\n    fix: name a new folder; nothing was written")
    files = archetypes.start(archetype, name or folder.name.replace("-", "_").lower())
    with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
        _write_all(Path(scratch), files)
        try:
            load(Path(scratch))
        except SpecError as error:
            moved = [
                replace(p, where=p.where.replace(scratch, str(folder))) for p in error.problems
            ]
            raise SpecError(moved) from error
    _write_all(folder, files)
    return sorted(files)


def _named(frameworks: Sequence[str] | None) -> list[str]:
    return list(FRAMEWORKS) if ALL in (frameworks or ()) else list(frameworks or ())


def asked(folder: Path, frameworks: Sequence[str] | None = None) -> tuple[EnvSpec, list[str]]:
    """The spec with what was rendered on request, and the frameworks that are meant now.

    Raises SpecError for a broken spec, SkillToolsError for a framework that does not exist.
    """
    named = _named(frameworks)
    known(named)
    spec = load(folder).beside([*on_request(folder), *named])
    # What env.yaml does not name, load() has not looked at.
    if found := [Problem(SPEC_FILE, what, fix) for _, what, fix in framework_problems(spec)]:
        raise SpecError(found)
    return spec, named or list(spec.frameworks)


def _write(
    folder: Path, spec: EnvSpec, *, force: bool, only: set[str] | None = None
) -> list[FileState]:
    requested = set(spec.frameworks) - set(load(folder).frameworks)
    return write(folder, spec, plan(spec), force=force, only=only, requested=requested)


def _write_all(folder: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")


def check(folder: Path) -> Outcome:
    """Check the author's files without rendering or playing; drift is not looked at."""
    spec = load(folder)
    seen = inspect(spec, folder)
    evidence = Evidence(spec, folder, domain=seen.domain, survey=seen.survey)
    return _judged(evidence)


def render(
    folder: Path, frameworks: Sequence[str] | None = None, *, force: bool = False
) -> tuple[EnvSpec, list[FileState]]:
    """Write what the spec plans, or of it what some frameworks need; returns each file's state.

    A framework that env.yaml does not name is rendered as well when it is asked for, and kept up to
    date from then on. Raises SkillToolsError for one that does not exist.
    """
    spec, names = asked(folder, frameworks)
    only = set(plan(spec, names)) if frameworks else None
    return spec, _write(folder, spec, force=force, only=only)


def pending(folder: Path, frameworks: Sequence[str] | None = None) -> list[FileState]:
    """The state of every file that `render` would look at; writes nothing."""
    spec, names = asked(folder, frameworks)
    only = set(plan(spec, names)) if frameworks else None
    return [s for s in states(folder, plan(spec)) if only is None or s.path in only]


def planned(folder: Path, frameworks: Sequence[str] | None = None) -> dict[str, str]:
    """Every file that the folder's spec plans, as {relative path: text}."""
    return plan(asked(folder, frameworks)[0])


def drift(folder: Path) -> Outcome:
    """Compare the folder with its plan, writing nothing."""
    spec, _ = asked(folder)
    seen = inspect(spec, folder)
    return _judged(seen)


def validate(
    folder: Path,
    frameworks: Sequence[str] | None = None,
    *,
    count: int = DEFAULT_TASKS,
    split: str | None = None,
    progress: Progress = silent,
) -> Outcome:
    """Play every policy in every variant as it lies on disk, and check what was seen."""
    spec, names = asked(folder, frameworks)
    playbook = play_domain(spec, folder, count=count, split=split, progress=progress)
    return _played(spec, folder, playbook, names, progress)


def build(
    folder: Path,
    frameworks: Sequence[str] | None = None,
    *,
    count: int = DEFAULT_TASKS,
    split: str | None = None,
    force: bool = False,
    progress: Progress = silent,
) -> Outcome:
    """From the author's files to a report: check, render, install, roll out, check, report.

    A domain that does not keep its contract, an oracle that raises or never ends, and a venv that
    cannot be made are reported before anything is written.
    """
    known(_named(frameworks))
    found = check(folder)
    if not found.report.ok:
        return found
    spec, names = asked(folder, frameworks)
    refuse_edited(folder, plan(spec), force=force)
    playbook = play_domain(spec, folder, count=count, split=split, progress=progress)
    prepare(spec, folder, names, progress)
    _write(folder, spec, force=force)
    return _played(spec, folder, playbook, names, progress)


def _played(
    spec: EnvSpec,
    folder: Path,
    playbook: Playbook,
    names: Sequence[str],
    progress: Progress,
) -> Outcome:
    outcome = _judged(collect(spec, folder, playbook, names, progress=progress))
    _keep(outcome)
    return outcome


def roll_out_policy(
    folder: Path,
    framework: str,
    policy: str,
    *,
    count: int = 1,
    split: str | None = None,
    on_line: Callable[[str], None] | None = None,
) -> list[Trajectory]:
    """Play one scripted policy in one variant as it lies on disk.

    Raises SkillToolsError for an unknown policy, and what the rollout raises.
    """
    policies.known(policy)
    spec, _ = asked(folder, [framework])
    tasks, scripts = write_scripts(spec, folder, split, count)
    write = partial(as_text, spec)
    with PolicyEndpoint({policy: scripts[policy]}, write) as endpoint:
        return roll_out(
            folder,
            framework,
            variant_venv(spec, folder, FRAMEWORKS[framework]),
            models=[policy],
            base_url=endpoint.base_url,
            split=tasks.split,
            indices=(0, len(tasks.tasks) - 1),
            keep=backends.kept_variables(spec),
            on_line=on_line,
        )


def bundle(folder: Path, framework: str, output: Path | None = None) -> Bundle:
    """Write one variant with its domain to a folder of its own; by default beside ``folder``.

    Raises RenderError when the variant is not what env.yaml renders to or something is in the way,
    DomainError when the domain does not work without what stays behind.
    """
    spec = load(folder).beside(on_request(folder))
    return write_bundle(spec, folder, framework, output, try_out=partial(_try_out, spec, folder))


def _try_out(spec: EnvSpec, folder: Path, package: Path) -> None:
    """Play with only the bundled files at hand; raises DomainError if that does not work."""
    try:
        _open_episodes(spec, package)
    except DomainError as error:
        _open_episodes(spec, folder)  # raises too, if the cause is not what stays behind
        fix = "name every module and data file that the domain uses under `include` in env.yaml"
        raise DomainError(f"the domain does not work alone: {error}\n    fix: {fix}") from error


def _open_episodes(spec: EnvSpec, folder: Path) -> None:
    sizes = one(spec, folder, Query("count", "reading the tasks"))
    opening = [(split, 0, None, []) for split, size in sizes.items() if size]
    one(spec, folder, play_job("opening the first episodes", opening, spec.episode.max_turns))


def _judged(evidence: Evidence) -> Outcome:
    return Outcome(summary.make(evidence, checks.run(evidence)), evidence)


def _keep(outcome: Outcome) -> None:
    runs = inside(outcome.evidence.folder, RUNS)
    runs.mkdir(exist_ok=True)
    text = summary.as_markdown(outcome.report, outcome.evidence)
    write_whole(runs / "report.md", text)
    for framework, played in outcome.evidence.rollouts.items():
        lines = [t.model_dump_json(by_alias=True) for by in played.values() for t in by.values()]
        write_whole(runs / f"{framework}.jsonl", "\n".join(lines) + "\n")


def found_in(folder: Path) -> Path:
    """The environment folder for a path given by a person; raises DomainError if it is none."""
    folder = folder.parent if folder.name == SPEC_FILE else folder
    if not folder.is_dir():
        raise DomainError(f"{folder} is not a folder\n    fix: name the folder with env.yaml in it")
    return folder.resolve()
