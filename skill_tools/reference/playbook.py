"""The playbook: the tasks to play, and every policy's script for each task."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from skill_tools.errors import DomainError
from skill_tools.evidence.calls import Calls
from skill_tools.evidence.reference_run import Tasks, Unsolved
from skill_tools.policies import scripted
from skill_tools.policies.scripted import Script
from skill_tools.reference.policy_scripts import example_scripts, policy_scripts
from skill_tools.reference.process import Query, Reply, ask, ask_apart, one
from skill_tools.spec.model import EnvSpec

AGAIN = 5
"""Number of tasks for which the oracle is asked a second time."""


LACKING = "SandboxUnavailable"
"""The error in rl-env-sandbox that a session raises if its backend is unavailable."""


class Playbook(NamedTuple):
    """The tasks to play, and the scripts, keyed by policy and episode label."""

    tasks: Tasks
    scripts: dict[str, dict[str, Script]]

    @property
    def places(self) -> dict[str, int]:
        """The index of each task in its split, keyed by label. A policy may not have scripts for all of these tasks."""
        labels = {label for by_label in self.scripts.values() for label in by_label}
        return {label: int(label.split("/")[2]) for label in labels}

    def only(self, policy: str) -> dict[str, dict[str, Script]]:
        """Return the scripts of one policy. Raises DomainError if the policy has no scripts."""
        if policy not in self.scripts:
            raise DomainError(
                f"no example in env.yaml uses these tasks of {self.tasks.split}, so {policy!r} "
                "cannot play\n    fix: write `examples`, or name another policy or task"
            )
        return {policy: self.scripts[policy]}


def count_tasks(spec: EnvSpec, folder: Path) -> dict[str, int]:
    """Return the size of every split that has tasks. Raises DomainError if the tasks cannot be read."""
    sizes = one(spec, folder, Query("count", "reading the tasks"))
    return {name: size for name, size in sizes.items() if size}


def write_scripts(
    spec: EnvSpec,
    folder: Path,
    split: str | None,
    count: int,
    *,
    first: int = 0,
    lenient: bool = False,
) -> Playbook:
    """Write every policy's script for ``count`` tasks of a split, starting at the task ``first``.

    The default split is the first with tasks. Raises DomainError if there are no tasks, or if the author's tasks
    or oracle fail. If ``lenient`` is true and the oracle does not solve a task, the playbook records the reason
    instead of a solution.
    """
    sizes = one(spec, folder, Query("count", "reading the tasks"))
    chosen = split or next((name for name, size in sizes.items() if size), "")
    if not sizes.get(chosen):
        raise DomainError(_no_tasks(spec, chosen, sizes))
    places = range(first, min(first + count, sizes[chosen]))
    if not places:
        last = sizes[chosen] - 1
        raise DomainError(f"there is no task {first} in {chosen!r}; it has 0 to {last}")
    solving = _solve_tasks(spec, folder, chosen, places, again=lenient)
    dealt = zip(places, solving.tasks, strict=True)
    labels = [label_episode(spec, chosen, index, seed_of(task)) for index, task in dealt]
    for place, why in {} if lenient else solving.unsolved.items():
        raise DomainError(f"the oracle on task {labels[place]} failed: {why.message}")
    solved = {
        key: calls
        for key, calls in zip(labels, solving.solutions, strict=True)
        if calls is not None
    }
    of_label = dict(zip(labels, solving.tasks, strict=True))
    wandered = dict(zip(labels, solving.wandered, strict=True))
    scripts = policy_scripts(spec, of_label, solved, wandered)
    scripts["example"] = example_scripts(spec, chosen, dict(zip(places, labels, strict=True)))
    if spec.message:  # which a stopping model sends, too
        most = spec.episode.most_calls
        scripts = {
            policy: {key: scripted.silent(script, most) for key, script in by_key.items()}
            for policy, by_key in scripts.items()
        }
    if spec.prompt.history:
        fields = [task.get(spec.prompt.history) for task in solving.tasks]
        spoken = {
            key: given for key, given in zip(labels, fields, strict=True) if isinstance(given, list)
        }
        scripts = {
            policy: {
                key: scripted.after(spoken.get(key, ()), script) for key, script in by_key.items()
            }
            for policy, by_key in scripts.items()
        }
    tasks = _as_tasks(chosen, sizes, labels, solving)
    return Playbook(tasks, {policy: by for policy, by in scripts.items() if by})


def ask_bests(
    spec: EnvSpec,
    folder: Path,
    split: str | None,
    indices: tuple[int, int],
    seed: int | None = None,
) -> dict[str, float]:
    """Return the maximum return of each task, as {"train/0": 0.7}, or {} if every maximum is the top of the reward
    range.

    Tasks for which the author's code fails are left out.
    """
    if spec.reward.best != "by_task":
        return {}
    chosen = split or next(iter(count_tasks(spec, folder)), "")
    places = [{"split": chosen, "index": index} for index in range(indices[0], indices[1] + 1)]
    jobs = [Query("best", f"best() of task {_at(each)}", each | {"seed": seed}) for each in places]
    replies = zip(places, ask(spec, folder, jobs), strict=True)
    return {_at(place): reply.value for place, reply in replies if not reply.error}


def label_episode(spec: EnvSpec, split: str, index: int, seed: int) -> str:
    """Return an episode's label, which is the same as ``Assignment.label`` in the rendered play module."""
    return f"{spec.name}/{split}/{index}/{seed}"


def seed_of(task: dict[str, Any]) -> int:
    """Return the task's own seed."""
    return int(task.get("seed", 0))


def _as_tasks(split: str, sizes: dict[str, int], labels: Sequence[str], solving: _Solving) -> Tasks:
    """Return the tasks and the facts that were found by solving them, keyed by episode label."""
    bests = list(zip(labels, solving.bests, strict=False))  # empty if all have the same
    return Tasks(
        split,
        solving.tasks,
        sizes,
        {labels[place]: why for place, why in solving.unsolved.items()},
        tuple(labels[place] for place in solving.changed),
        tuple(solving.redealt),
        bests={label: reply.value for label, reply in bests if not reply.error},
        untold={label: reply.error for label, reply in bests if reply.error},
    )


def _no_tasks(spec: EnvSpec, chosen: str, sizes: dict[str, int]) -> str:
    none = f"none: no file matches {spec.tasks}" if spec.tasks_in_files else "none"
    there = ", ".join(f"{name} ({size})" for name, size in sizes.items()) or none
    return f"there are no tasks in split {chosen!r}; the splits are: {there}"


@dataclass(frozen=True)
class _Solving:
    """Some tasks of a split, and the oracle's solutions.

    Attributes:
        solutions: The oracle's calls for each task, or None if they are missing.
        wandered: The calls of a random legal player on each task.
        unsolved: The reasons why the oracle failed, keyed by task.
        changed: Tasks that the oracle solved differently when it was asked again.
        redealt: Tasks in all splits that differed when they were generated again.
        bests: Each task's maximum return; empty if every task's maximum is the top of the reward range.
    """

    tasks: list[dict[str, Any]]
    solutions: list[Calls | None]
    wandered: list[Calls | None]
    unsolved: dict[int, Unsolved]
    changed: list[int]
    redealt: list[str]
    bests: list[Reply]


def _solve_tasks(
    spec: EnvSpec, folder: Path, split: str, indices: range, *, again: bool
) -> _Solving:
    places, count = [{"split": split, "index": index} for index in indices], len(indices)
    jobs = [Query("task", f"reading task {_at(place)}", place) for place in places]
    solve = [Query("solve", f"the oracle on task {_at(place)}", place) for place in places]
    limit = {"max_turns": spec.episode.max_turns}
    wander = [Query("wander", f"valid_calls() on {_at(place)}", place | limit) for place in places]
    deal = Query("deal", "reading all tasks")
    best = [Query("best", f"best() of task {_at(place)}", place) for place in places]
    best = best if spec.reward.best == "by_task" else []
    few, deals = ([*solve[:AGAIN], deal], [deal]) if again else ([], [])
    with ThreadPoolExecutor(2) as pool:
        other = pool.submit(copy_context().run, _ask_again, spec, folder, few)
        asked = [*jobs, *solve, *wander, *deals]
        answers = ask(spec, folder, [*asked, *best])
        second = other.result()
    answers, bests = answers[: len(asked)], answers[len(asked) :]
    for job, answer in zip(asked, answers, strict=True):
        # No key, or a kernel without confinement: the machine's fault, not the environment's.
        if answer.error and (job.do == "task" or answer.kind == LACKING):
            raise DomainError(f"{job.what} failed: {answer.error}")
    tasks, solved, wandered = (answers[n * count : (n + 1) * count] for n in range(3))
    solutions, unsolved = [each.value for each in solved], {}
    for place, alone in _retry(spec, folder, solve, solved).items():
        first = solved[place]
        solutions[place] = alone.value
        unsolved[place] = Unsolved(first.error, first.kind, first.where, alone=not alone.error)
    calls = [each.value for each in wandered]
    for place, alone in _retry(spec, folder, wander, wandered).items():
        if alone.error:
            raise DomainError(f"{wander[place].what} failed: {alone.error}")
        calls[place] = alone.value
    changed = [
        place
        for place, (one_, other_) in enumerate(zip(solved, second[:-1], strict=False))
        if not one_.error and not other_.error and one_.value != other_.value
    ]
    redealt = _redealt(answers[-1].value, second[-1].value) if second else []
    dealt = [each.value for each in tasks]
    return _Solving(dealt, solutions, calls, unsolved, changed, redealt, bests)


def _redealt(ours: dict[str, list[int]] | None, theirs: dict[str, list[int]] | None) -> list[str]:
    """Return the tasks in all splits that differ between two processes, or an empty list if one process did not
    report."""
    here = ours or {}
    there = theirs or here
    return [
        f"{split}/{place}"
        for split, tasks in here.items()
        for place, (one_, other) in enumerate(zip_longest(tasks, there.get(split, ())))
        if one_ != other
    ]


def _ask_again(spec: EnvSpec, folder: Path, jobs: list[Query]) -> list[Reply]:
    """Ask the oracle in another process, with a different hash seed. Return an empty list if the process fails."""
    try:
        return ask(spec, folder, jobs, hash_seed="1") if jobs else []
    except DomainError:
        return []


def _retry(
    spec: EnvSpec, folder: Path, jobs: list[Query], replies: list[Reply]
) -> dict[int, Reply]:
    """Repeat the failed jobs, each in its own process, and return the new replies."""
    failed = [place for place, reply in enumerate(replies) if reply.error]
    if not failed:
        return {}
    found = ask_apart(spec, folder, [[jobs[place]] for place in failed])
    return {place: reply for place, (reply,) in zip(failed, found, strict=True)}


def _at(place: dict[str, Any]) -> str:
    return f"{place['split']}/{place['index']}"
