"""Tries more scripts than policies have, and looks at every task; runs in the process of probe.py.

It imports the standard library and probe.py, never this package. Each job has some seconds: what
there was no time for is None, and nothing is said of it.
"""

import hashlib
import json
import time

from __main__ import module, open_episode, record
from __main__ import solve as write_solution


def try_scripts(request: dict, trials: list, max_turns: int, seconds: float) -> list:
    """Play scripts, each on an episode of its own; a record per script."""
    until = time.monotonic() + seconds
    return [
        play_alone(request, max_turns, **trial) if time.monotonic() < until else None
        for trial in trials
    ]


def play_alone(
    request: dict, max_turns: int, split: str, index: int, seed: int | None, calls: list
) -> dict:
    """Play calls one by one up to the episode's end, which comes with the last call at the latest."""
    slowest, final, failure = 0.0, 0.0, None
    try:
        world = open_episode(request, split, index, seed, max_turns)
    except RuntimeError as error:
        return {"steps": [], **_failed(str(error)), "slowest": 0.0}
    try:
        for tool, arguments in calls:
            if world.over:
                break
            began = time.perf_counter()
            world.call(tool, arguments)
            slowest = max(slowest, time.perf_counter() - began)
        if not world.over:
            final = world.end()
    except RuntimeError:
        failure = world.failure
    after = "" if failure or world.truncated else _after_end(world, calls)
    world.close()
    found = record(world, final) | {"slowest": slowest, "after": after}
    found["steps"] = [_brief(step) for step in found["steps"]]
    return found | (_failed(failure) if failure else {})


def _after_end(world, calls: list) -> str:
    """What the bare world does with the calls that are left, though it has ended; "" if nothing."""
    bare = world._world
    if bare is None or not getattr(bare, "done", False) or not world.steps or len(calls) > 400:
        return ""
    before = bare.reward
    for tool, arguments in [*calls[len(world.steps) :], calls[-1]][:8]:
        try:
            getattr(bare, tool)(**arguments)
        except Exception:  # noqa: BLE001, S112 - a refusal of any kind is right
            continue
        if bare.reward != before or not bare.done:
            return f"{tool}({json.dumps(arguments)[:80]}) changed the return from {before:g} to {bare.reward:g}"
    return ""


def _failed(message: str) -> dict:
    return {
        "end": "failed",
        "failure": {"kind": "EpisodeFailed", "message": message},
        "return": None,
    }


def _brief(step: dict) -> dict:
    """A step with a checksum in the place of a picture."""
    shown = [
        block if block["type"] == "text" else {"type": "text", "text": f"[image {_sum(block)}]"}
        for block in step["observation"]
    ]
    return {**step, "observation": shown}


def _sum(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:16]


class Watched(dict):
    """A task that notes which of its fields are read."""

    read: set = set()

    def __getitem__(self, key):
        """Note one field."""
        self.read.add(key)
        return super().__getitem__(key)

    def get(self, key, default=None):
        """Note one field."""
        self.read.add(key)
        return super().get(key, default)

    def pop(self, key, *default):
        """Note one field."""
        self.read.add(key)
        return super().pop(key, *default)

    def __iter__(self):
        self.read.update(super().keys())
        return super().__iter__()

    def keys(self):
        """Note all fields."""
        self.read.update(super().keys())
        return super().keys()

    def values(self):
        """Note all fields."""
        self.read.update(super().keys())
        return super().values()

    def items(self):
        """Note all fields."""
        self.read.update(super().keys())
        return super().items()


def watch_fields(request: dict) -> set:
    """Have the domain class note which fields of its task it reads; returns the set that it fills."""
    world = getattr(module(request, request["domain"][0]), request["domain"][1])
    begin = world.__init__

    def watched(self, task, seed, *rest, **more):
        begin(self, Watched(task), seed, *rest, **more)

    world.__init__ = watched
    return Watched.read


def survey_play(
    request: dict, played: dict, most: int, solve: int, max_turns: int, seconds: float
) -> dict:
    """Open all tasks of all splits, and play the oracle on some that were not played before.

    played: the number of tasks that were, by split. most, solve: tasks of a split to open, to solve.
    """
    table, until = module(request, "_shared.task_table"), time.monotonic() + seconds
    read = watch_fields(request)
    opened, solved = [], []
    for split in table.splits():
        tasks = table.tasks(split)
        for index in _spread(len(tasks), most):
            if time.monotonic() < until:
                opened.append(_open(request, split, index, max_turns))
    until = time.monotonic() + seconds
    first = [
        (split, index)
        for split in table.splits()
        for index in _by_level(table.tasks(split), played.get(split, 0), solve)
    ]
    all_of = [(each["split"], each["index"]) for each in opened]
    for split, index in dict.fromkeys([*first, *all_of]):
        if time.monotonic() < until:
            solved.append(_solve(request, split, index, None, max_turns))
    sizes = {split: len(table.tasks(split)) for split in table.splits()}
    return {"opened": opened, "solved": solved, "read": sorted(map(str, read)), "sizes": sizes}


def _spread(count: int, most: int) -> list:
    return list(range(count)) if count <= most else [place * count // most for place in range(most)]


def _by_level(tasks: list, first: int, most: int) -> list:
    """Places from `first` on: the last, and of each level as many as there is room for."""
    groups: dict = {}
    for index in range(first, len(tasks)):
        task = tasks[index]
        level = task.get("level", task.get("difficulty"))
        groups.setdefault(str(level), []).append(index)
    chosen = [len(tasks) - 1] if len(tasks) > first else []
    share = max(1, most // max(1, len(groups)))
    for places in groups.values():
        chosen += [places[at] for at in _spread(len(places), share)]
    return sorted(set(chosen))


def _open(request: dict, split: str, index: int, max_turns: int) -> dict:
    task = module(request, "_shared.task_table").task_at(split, index)
    found = {
        "split": split,
        "index": index,
        "id": None if task.get("id") is None else str(task["id"]),
        "seed": int(task.get("seed", 0)),
        "fields": {str(key): _sum(value) for key, value in task.items()},
        "prompt": "",
        "error": "",
    }
    try:
        world = open_episode(request, split, index, None, max_turns)
    except RuntimeError as error:
        return found | {"error": str(error)}
    found["prompt"] = "\n".join(message["content"] for message in world.prompt)[:20_000]
    found["hidden"] = {"over": bool(world.over)}
    world.close()
    return found


def _solve(request: dict, split: str, index: int, seed: int | None, max_turns: int) -> dict:
    """The oracle's episode on one task, under one seed."""
    place = {"split": split, "index": index, "seed": seed}
    try:
        calls = write_solution(request, split, index, seed)
    except Exception as error:  # noqa: BLE001 - whatever the author's code raises is a result
        return {
            **place,
            **_failed(f"the oracle failed: {type(error).__name__}: {error}"),
            "steps": 0,
        }
    found = play_alone(request, max_turns, split, index, seed, calls)
    return {
        **place,
        "steps": len(found["steps"]),
        **{k: found.get(k) for k in ("end", "return", "failure")},
    }


def solve_seeds(
    request: dict, split: str, count: int, offsets: list, max_turns: int, seconds: float
) -> list:
    """The oracle on the first tasks of a split under other seeds than their own."""
    until, found = time.monotonic() + seconds, []
    table = module(request, "_shared.task_table")
    for offset in offsets:
        for index in range(count):
            if time.monotonic() < until:
                seed = int(table.task_at(split, index).get("seed", 0)) + offset
                found.append(_solve(request, split, index, seed, max_turns))
    return found


JOBS = {"try": try_scripts, "survey_play": survey_play, "solve_seeds": solve_seeds}
