"""The playbook: which tasks are played, and the script of every policy for each."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from skill_tools.errors import DomainError
from skill_tools.play import policies
from skill_tools.play.evidence import Tasks
from skill_tools.play.policies import Script
from skill_tools.play.reference import Query, ask, one
from skill_tools.spec.model import EnvSpec


class Playbook(NamedTuple):
    """The tasks to play, and a script by policy and episode label."""

    tasks: Tasks
    scripts: dict[str, dict[str, Script]]

    def only(self, policy: str) -> dict[str, dict[str, Script]]:
        """The scripts of one policy. Raises DomainError where it has none."""
        if policy not in self.scripts:
            raise DomainError(
                f"no example in env.yaml is of these tasks of {self.tasks.split}, so {policy!r} "
                "has nothing to play\n    fix: write `examples`, or name another policy or task"
            )
        return {policy: self.scripts[policy]}


def count_tasks(spec: EnvSpec, folder: Path) -> dict[str, int]:
    """The size of every split that has tasks; raises DomainError if they cannot be read."""
    sizes = one(spec, folder, Query("count", "reading the tasks"))
    return {name: size for name, size in sizes.items() if size}


def write_scripts(spec: EnvSpec, folder: Path, split: str | None, count: int) -> Playbook:
    """Write every policy's script for the first ``count`` tasks of a split.

    Without a split, the first that has tasks. Raises DomainError when there are no tasks, or the
    author's tasks or oracle fail.
    """
    sizes = one(spec, folder, Query("count", "reading the tasks"))
    chosen = split or next((name for name, size in sizes.items() if size), "")
    if not sizes.get(chosen):
        raise DomainError(_no_tasks(spec, chosen, sizes))
    tasks, solutions, wandered = _solve_tasks(spec, folder, chosen, min(count, sizes[chosen]))
    labels = [label_episode(spec, chosen, i, seed_of(task)) for i, task in enumerate(tasks)]
    solved = dict(zip(labels, solutions, strict=True))
    tools, limits = spec.tool_schemas(), spec.episode
    refused = limits.free_refusals or limits.max_turns
    samples = {name: tool.samples() for name, tool in spec.tools.items()}
    scripts = {
        "oracle": {key: policies.oracle(solution) for key, solution in solved.items()},
        "random": {
            key: policies.oracle(calls)
            if calls is not None
            else policies.sampled(tools, key, limits.most_calls, samples=samples)
            for key, calls in zip(labels, wandered, strict=True)
        },
        "noop": {key: policies.noop() for key in labels},
        "malformed": {key: policies.malformed(tools, key) for key in labels},
        "early_stop": {key: policies.early_stop(solution) for key, solution in solved.items()},
        "past_done": {key: policies.past_done(solution) for key, solution in solved.items()},
        "turn_limit": {key: policies.turn_limit(tools, refused) for key in labels},
    }
    worked = {
        labels[e.index]: e for e in spec.examples if e.split == chosen and e.index < len(labels)
    }
    if worked:
        scripts["example"] = {
            key: policies.example(worked[key]) if key in worked else policies.noop()
            for key in labels
        }
    return Playbook(Tasks(chosen, tasks, sizes), scripts)


def label_episode(spec: EnvSpec, split: str, index: int, seed: int) -> str:
    """The name of an episode; the same as ``Assignment.label`` in the rendered play module."""
    return f"{spec.name}/{split}/{index}/{seed}"


def seed_of(task: dict[str, Any]) -> int:
    """The task's own seed."""
    return int(task.get("seed", 0))


def _no_tasks(spec: EnvSpec, chosen: str, sizes: dict[str, int]) -> str:
    none = f"none: no file is {spec.tasks}" if spec.tasks_in_files else "none"
    there = ", ".join(f"{name} ({size})" for name, size in sizes.items()) or none
    return f"there are no tasks in split {chosen!r}; the splits are: {there}"


def _solve_tasks(
    spec: EnvSpec, folder: Path, split: str, count: int
) -> tuple[list[dict[str, Any]], list[Any], list[Any]]:
    """The first tasks of a split, the oracle's solution of each, and a random legal player's."""
    places = [{"split": split, "index": index} for index in range(count)]
    jobs = [Query("task", f"reading task {_at(place)}", place) for place in places]
    jobs += [Query("solve", f"the oracle on task {_at(place)}", place) for place in places]
    limit = {"max_turns": spec.episode.max_turns}
    jobs += [Query("wander", f"valid_calls() on {_at(place)}", place | limit) for place in places]
    answers = ask(spec, folder, jobs)
    for job, answer in zip(jobs, answers, strict=True):
        if answer.error:
            raise DomainError(f"{job.what} failed: {answer.error}")
    values = [answer.value for answer in answers]
    return values[:count], values[count : 2 * count], values[2 * count :]


def _at(place: dict[str, Any]) -> str:
    return f"{place['split']}/{place['index']}"
