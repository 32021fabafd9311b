"""Evidence: everything that was observed about an environment, for checks to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from skill_tools import backends
from skill_tools.errors import DomainError, SkillToolsError
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.play import policies
from skill_tools.play.policies import Script
from skill_tools.play.policy_server import PolicyEndpoint
from skill_tools.play.reference import Query, ask, one, play_job
from skill_tools.play.rollout import roll_out, variant_venv
from skill_tools.play.trajectory import Trajectory, by_label
from skill_tools.render.plan import plan
from skill_tools.render.writing import FileState, states
from skill_tools.spec.model import EnvSpec

DEFAULT_TASKS = 10
Progress = Callable[[str, str], None]
"""Called with who (a framework, or "domain") and what it is doing; "done" at its end."""
Played = dict[str, dict[str, Trajectory]]
"""Trajectories by policy and episode label."""


def silent(who: str, what: str) -> None:
    """Report nothing."""


@dataclass(frozen=True)
class Tasks:
    """The tasks that were played: a split, its first tasks, and the size of every split."""

    split: str
    tasks: list[dict[str, Any]]
    sizes: dict[str, int]


@dataclass(frozen=True)
class Evidence:
    """What was seen. A field is None when it was not looked at, and checks over it are skipped.

    domain: tools and members found on the domain class. survey: id and fields of every task, by
    split. reference: the scripts on the bare domain, each episode alone. repeat: the same in a
    second process with other hash seeds. interleaved: the oracle's episodes in alternation in one
    process. reversed: the same one by one, last task first. reseeded: the oracle's scripts under
    another seed. rollouts: per framework. broken: per framework, why there are no rollouts.
    """

    spec: EnvSpec
    folder: Path
    files: list[FileState] | None = None
    domain: dict[str, Any] | None = None
    survey: dict[str, list[tuple[Any, list[str]]]] | None = None
    tasks: Tasks | None = None
    reference: Played | None = None
    repeat: Played | None = None
    interleaved: dict[str, Trajectory] | None = None
    reversed: dict[str, Trajectory] | None = None
    reseeded: dict[str, Trajectory] | None = None
    rollouts: dict[str, Played] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0


def inspect(spec: EnvSpec, folder: Path) -> Evidence:
    """Look at the spec, the files, the domain class and all tasks, without playing.

    Raises DomainError when the domain cannot be imported or the tasks cannot be read.
    """
    domain, survey = ask(
        spec,
        folder,
        [
            Query("inspect", f"importing {spec.domain_module}.py"),
            Query("survey", "reading the tasks"),
        ],
    )
    if domain.error:
        raise DomainError(f"importing {spec.domain_module}.py failed: {domain.error}")
    # Without InvalidAction the tasks cannot be read either; its own check says so.
    if survey.error and domain.value["invalid_action"]:
        raise DomainError(f"reading the tasks failed: {survey.error}")
    return Evidence(spec, folder, states(folder, plan(spec)), domain.value, survey.value)


@dataclass(frozen=True)
class Playbook:
    """The tasks to play, each policy's script for each, and what they did on bare episodes."""

    tasks: Tasks
    scripts: dict[str, dict[str, Script]]
    observed: dict[str, Any]


def play_domain(
    spec: EnvSpec,
    folder: Path,
    *,
    count: int = DEFAULT_TASKS,
    split: str | None = None,
    progress: Progress = silent,
) -> Playbook:
    """Play every policy on the first ``count`` tasks of a split, on bare episodes.

    Needs nothing rendered and writes nothing. Raises DomainError when the author's code raises
    outside an episode or never ends.
    """
    progress("domain", "solving the tasks")
    tasks, scripts = write_scripts(spec, folder, split, count)
    progress("domain", "playing bare episodes")
    observed = _play_bare(spec, folder, tasks, scripts)
    progress("domain", "done")
    return Playbook(tasks, scripts, observed)


def collect(
    spec: EnvSpec,
    folder: Path,
    playbook: Playbook,
    frameworks: Sequence[str] | None = None,
    *,
    progress: Progress = silent,
) -> Evidence:
    """Play the playbook in every variant as it lies in the folder, side by side."""
    started = perf_counter()

    names = list(spec.frameworks if frameworks is None else frameworks)
    rollouts: dict[str, Played] = {}
    broken: dict[str, str] = {}
    write = partial(policies.as_text, spec)
    with (
        PolicyEndpoint(playbook.scripts, write) as endpoint,
        ThreadPoolExecutor(len(names) or 1) as pool,
    ):
        jobs = {
            name: pool.submit(_roll_out, spec, folder, name, playbook.tasks, endpoint, progress)
            for name in names
        }
        seen = inspect(spec, folder)
        for name, job in jobs.items():
            try:
                rollouts[name] = by_label(job.result())
            except SkillToolsError as error:
                broken[name] = str(error)
                progress(name, "did not run")
    return replace(
        seen,
        tasks=playbook.tasks,
        **playbook.observed,
        rollouts=rollouts,
        broken=broken,
        seconds=perf_counter() - started,
    )


def _roll_out(
    spec: EnvSpec,
    folder: Path,
    name: str,
    tasks: Tasks,
    endpoint: PolicyEndpoint,
    say: Callable[[str, str], None],
) -> list[Trajectory]:
    venv = variant_venv(spec, folder, FRAMEWORKS[name], progress=lambda what: say(name, what))
    say(name, "rolling out")
    found = roll_out(
        folder,
        name,
        venv,
        models=list(endpoint.scripts),
        base_url=endpoint.base_url,
        split=tasks.split,
        indices=(0, len(tasks.tasks) - 1),
        keep=backends.kept_variables(spec),
    )
    say(name, "done")
    return found


def label(spec: EnvSpec, split: str, index: int, seed: int) -> str:
    """The name of an episode; the same as ``Assignment.label`` in the rendered play module."""
    return f"{spec.name}/{split}/{index}/{seed}"


def seed_of(task: dict[str, Any]) -> int:
    """The task's own seed."""
    return int(task.get("seed", 0))


def write_scripts(
    spec: EnvSpec, folder: Path, split: str | None, count: int
) -> tuple[Tasks, dict[str, dict[str, Script]]]:
    """The first ``count`` tasks of a split, and a script per policy and episode label."""
    sizes = one(spec, folder, Query("count", "reading the tasks"))
    chosen = split or next((name for name, size in sizes.items() if size), "")
    if not sizes.get(chosen):
        none = f"none: no file is {spec.tasks}" if spec.tasks_in_files else "none"
        there = ", ".join(f"{name} ({size})" for name, size in sizes.items()) or none
        raise DomainError(f"there are no tasks in split {chosen!r}; the splits are: {there}")
    places = [{"split": chosen, "index": index} for index in range(min(count, sizes[chosen]))]
    jobs = [Query("task", f"reading task {_at(place)}", place) for place in places]
    jobs += [Query("solve", f"the oracle on task {_at(place)}", place) for place in places]
    answers = ask(spec, folder, jobs)
    for job, answer in zip(jobs, answers, strict=True):
        if answer.error:
            raise DomainError(f"{job.what} failed: {answer.error}")
    values = [answer.value for answer in answers]
    found, solutions = values[: len(places)], values[len(places) :]
    tasks = Tasks(chosen, found, sizes)
    labels = [label(spec, chosen, i, seed_of(task)) for i, task in enumerate(found)]
    tools, turns = spec.tool_schemas(), spec.episode.max_turns
    samples = {name: tool.samples() for name, tool in spec.tools.items()}
    solved = dict(zip(labels, solutions, strict=True))
    return tasks, {
        "oracle": {key: policies.oracle(solution) for key, solution in solved.items()},
        "random": {key: policies.sampled(tools, key, turns, samples=samples) for key in labels},
        "noop": {key: policies.noop() for key in labels},
        "malformed": {key: policies.malformed(tools, key) for key in labels},
        "early_stop": {key: policies.early_stop(solution) for key, solution in solved.items()},
        "past_done": {key: policies.past_done(solution) for key, solution in solved.items()},
        "turn_limit": {key: policies.turn_limit(tools, turns) for key in labels},
    }


def _at(place: dict[str, Any]) -> str:
    return f"{place['split']}/{place['index']}"


def _play_bare(
    spec: EnvSpec, folder: Path, tasks: Tasks, scripts: dict[str, dict[str, Script]]
) -> dict[str, Any]:
    limit, split = spec.episode.max_turns, tasks.split
    alone = [
        (policy, key, play_job(f"playing {policy} on {key}", [(split, index, None, script)], limit))
        for policy, by_key in scripts.items()
        for index, (key, script) in enumerate(by_key.items())
    ]
    oracle = list(scripts["oracle"].items())
    together = [(split, index, None, script) for index, (_, script) in enumerate(oracle)]
    reseeded = [
        (split, index, seed_of(tasks.tasks[index]) + 1, script)
        for index, (_, script) in enumerate(oracle)
    ]
    extra = [
        play_job("playing the oracle's episodes in alternation", together, limit),
        play_job("playing the oracle's scripts under other seeds", reseeded, limit),
    ]
    bare = ask(spec, folder, [job for *_, job in alone])
    again = ask(spec, folder, [job for *_, job in alone], hash_seed="1")
    (shared,) = ask(spec, folder, extra[:1])
    (other,) = ask(spec, folder, extra[1:])
    back = [job for policy, _, job in alone if policy == "oracle"][::-1]
    backward = ask(spec, folder, back)[::-1]
    keys = [key for key, _ in oracle]
    return {
        "reference": _arranged(spec, alone, bare),
        "repeat": _arranged(spec, alone, again),
        "interleaved": _records(keys, shared),
        "reversed": _arranged(spec, alone[: len(oracle)], backward)["oracle"],
        "reseeded": _records(keys, other),
    }


def _records(keys: Sequence[str], answer: Any) -> dict[str, Trajectory]:
    if answer.error:
        return {key: _failed("oracle", key, answer.error) for key in keys}
    return {
        key: Trajectory(model="oracle", label=key, **line)
        for key, line in zip(keys, answer.value, strict=True)
    }


def _arranged(spec: EnvSpec, alone: Sequence[Any], answers: Sequence[Any]) -> Played:
    played: Played = {}
    for (policy, key, _), answer in zip(alone, answers, strict=True):
        if answer.error:
            found = _failed(policy, key, answer.error)
        else:
            found = Trajectory(
                model=policy, label=key, tools=spec.tool_schemas(), **answer.value[0]
            )
        played.setdefault(policy, {})[key] = found
    return played


def _failed(policy: str, key: str, message: str) -> Trajectory:
    failure = {"kind": "EpisodeFailed", "message": message}
    return Trajectory.model_validate(
        {"model": policy, "label": key, "end": "failed", "failure": failure}
    )
