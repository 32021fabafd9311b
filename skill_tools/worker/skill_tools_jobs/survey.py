"""Examine every task in every split; runs in the child process."""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from skill_tools_jobs import Json, Place, Request, runs
from skill_tools_jobs.deadline import Deadline, Limit, clock
from skill_tools_jobs.episodes import module, open_episode, splits, task_at, text_of

MOST_LEVELS = 8
"""Maximum values in a list of levels or settings; a longer list is one that tasks are drawn from."""


def _noting(name: str) -> Callable[..., Any]:
    own = getattr(dict, name)

    def method(self: "Watched", *given: Any) -> Any:
        self.read.update(given[:1] or dict.keys(self))
        return own(self, *given)

    return method


LEAST_OPENED = 8
"""Minimum tasks to open even if that takes long, to tell a slow domain from a single slow opening."""


class Watched(dict[str, Any]):
    """A task that records which of its fields were read."""

    read: set[str] = set()


for _name in ("__getitem__", "get", "pop", "__iter__", "keys", "values", "items"):
    setattr(Watched, _name, _noting(_name))


def watch_fields(request: Request) -> set[str]:
    """Make the domain class record which fields of its task it reads. Return the set that collects the fields'
    names."""
    world = getattr(module(request, request["domain"][0]), request["domain"][1])
    begin = world.__init__

    def watched(self: Any, task: Json, seed: int, *rest: Any, **more: Any) -> None:
        begin(self, Watched(task), seed, *rest, **more)

    world.__init__ = watched
    return Watched.read


def survey_play(
    request: Request,
    played: dict[str, int],
    most: int,
    solve: int,
    top: float,
    max_turns: int,
    limit: Limit,
) -> Json:
    """Read all tasks of all splits, open them as long as there is time, and play the oracle on some of them.

    Episodes of the first tasks, and some episodes with a return below ``top``, are kept with their steps.

    Args:
        played: For each split, the number of tasks that were played before.
        most: Maximum number of tasks per split to open.
        solve: Maximum number of tasks per split to solve.
    """
    first_ones: Limit = {**limit, "floor": LEAST_OPENED}
    table, left = splits(request), Deadline(**first_ones)
    mutated = list(filter(None, (_changed_task(request, split, max_turns) for split in table)))
    read = watch_fields(request)
    opened, solved = [], []
    for split in table:
        tasks = table[split]
        for index in spread(len(tasks), most):
            opened.append(_open(request, split, index, max_turns if left else 0))
    left = Deadline(**limit)
    first = various_places(table, solve, played)
    all_of, short = [(each["split"], each["index"]) for each in opened], 0
    for split, index in dict.fromkeys([*first, *all_of]):
        if left:
            kept = (split, index) in first
            least = top if short < runs.MOST_KEPT else None
            found = runs.solve_alone(request, split, index, None, max_turns, kept=kept, top=least)
            short += "played" in found and not kept
            own = int(task_at(request, split, index).get("seed", 0))
            solved.append(found | {"own": own, "first": kept})
    sizes = {split: len(table[split]) for split in table}
    return {
        "opened": opened,
        "solved": solved,
        "read": sorted(map(str, read)),
        "sizes": sizes,
        "undealt": _undealt(request, table),
        "mutated": mutated,
    }


def open_various(
    request: Request, most: int, max_turns: int, limit: Limit
) -> list[tuple[str, int, str]]:
    """Open tasks of every split with different contents. Return the errors as split, index and text."""
    table, left, found = splits(request), Deadline(**limit), list[tuple[str, int, str]]()
    for split, index in various_places(table, most, {}):
        error = str(_open(request, split, index, max_turns)["error"]) if left else ""
        if error:
            found.append((split, index, error))
    return found


def _changed_task(request: Request, split: str, max_turns: int) -> str:
    """Return the first task of a split and the fields that its episode changed, or ""."""
    table = splits(request)
    if not table[split]:
        return ""
    before = {key: runs.checksum(value) for key, value in task_at(request, split, 0).items()}
    runs.solve_alone(request, split, 0, None, max_turns)
    after = {key: runs.checksum(value) for key, value in task_at(request, split, 0).items()}
    fields = sorted(k for k in {*before, *after} if before.get(k) != after.get(k))
    return f"{split}/0: {', '.join(map(str, fields))}" if fields else ""


def _undealt(request: Request, table: Mapping[str, Sequence[Json]]) -> list[Json]:
    """Find lists of constants in the tasks' module with items that no task uses. Return each list and these items."""
    tasks = [task for split in table for task in table[split]]
    source = sys.modules.get(f"{request['package']}.{request.get('tasks', 'tasks')}")
    found = []
    for name, several in list(vars(source).items()) if source else []:
        if name.startswith("_") or not isinstance(several, list | tuple):
            continue
        few = 2 <= len(several) <= min(MOST_LEVELS, len(tasks) // 3)
        if not few or not all(map(_plain, several)):
            continue
        fields = _setting_fields(several, tasks)
        own = [[value for key, value in task.items() if key in fields] for task in tasks]
        left = [value for value in several if not any(_has(each, value) for each in own)]
        if len(left) < len(several):
            found.append({"name": name, "left": [str(v) for v in left], "of": len(several)})
    return found


def _plain(value: object) -> bool:
    parts = value if isinstance(value, tuple) else (value,)
    return bool(parts) and all(isinstance(part, str | int) for part in parts)


def _setting_fields(several: Sequence[object], tasks: Sequence[Json]) -> set[str]:
    """Return the task fields whose values may come from a list of constants.

    If the list contains numbers, only fields whose values are always in the list count: small numbers occur in
    unrelated fields.
    """
    fields = {key for task in tasks for key in task} - {"id", "seed"}
    if any(isinstance(each, int) for each in several):
        return {key for key in fields if all(task.get(key) in several for task in tasks)}
    return fields


def _has(values: Sequence[object], constant: object) -> bool:
    """Return whether values contain a constant or, if the constant is a tuple, each of its parts."""
    return all(
        part in values for part in (constant if isinstance(constant, tuple) else (constant,))
    )


def spread(count: int, most: int) -> list[int]:
    """Return at most ``most`` of ``count`` indices, evenly spread."""
    return list(range(count)) if count <= most else [place * count // most for place in range(most)]


def various_places(
    table: Mapping[str, Sequence[Json]], most: int, first: dict[str, int]
) -> list[Place]:
    """Return tasks as ``various`` chooses them, from each split in turn. ``first`` has a first index for each split."""
    by_split = [
        [(split, index) for index in various(table[split], first.get(split, 0), most)]
        for split in table
    ]
    return [place for turn in zip_longest(*by_split) for place in turn if place is not None]


def every_place(table: Mapping[str, Sequence[Json]]) -> list[Place]:
    """Return all tasks of all splits."""
    return [(split, at) for split in table for at in range(len(table[split]))]


def various(tasks: Sequence[Json], first: int, most: int) -> list[int]:
    """Return indices, starting at `first`, of tasks whose fields have new contents (another level, kind or form).

    The last task of the split comes first, because no policy has played it. A field with few distinct values has
    more weight.
    """
    traits = [_traits(task) for task in tasks]
    values: dict[str, set[str]] = {}
    for name, value in {trait for several in traits for trait in several}:
        values.setdefault(name, set()).add(value)
    weights = {name: 1 / len(several) for name, several in values.items()}
    seen = {trait for several in traits[:first] for trait in several}
    left, chosen = set(range(first, len(tasks))), list[int]()
    while left and len(chosen) < most:
        news = {at: sum(weights[name] for name, _ in traits[at] - seen) for at in left}
        place = max(left, key=lambda at: (news[at], -at)) if chosen else len(tasks) - 1
        if not news[place] and chosen:
            rest = sorted(left)
            return chosen + [rest[at] for at in spread(len(rest), most - len(chosen))]
        chosen.append(place)
        left.discard(place)
        seen |= traits[place]
    return chosen


def _traits(task: Json) -> set[tuple[str, str]]:
    """Return each field of a task with its content as text, cut off at 60 characters, and with the content's form."""
    return {
        (str(key), kind)
        for key, value in task.items()
        if key not in ("id", "seed")
        for kind in (str(value)[:60], _form(str(value)[:60]))
    }


def _form(text: str) -> str:
    """Return a text's form: each run of letters becomes "a" and each run of digits "9"."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", text))


def _open(request: Request, split: str, index: int, max_turns: int) -> Json:
    task = task_at(request, split, index)
    found: Json = {
        "split": split,
        "index": index,
        "id": None if task.get("id") is None else str(task["id"]),
        "seed": int(task.get("seed", 0)),
        "fields": {str(key): runs.checksum(value) for key, value in task.items()},
        "prompt": "",
        "error": "",
    }
    if not max_turns:
        return found  # no time is left: its fields are known
    began = clock()
    try:
        world = open_episode(request, split, index, None, max_turns)
    except RuntimeError as error:
        return found | {"error": str(error)}
    found["took"] = clock() - began
    found["prompt"] = text_of(request, world)[:20_000]
    world.close()
    return found


JOBS = {"survey_play": survey_play, "open_various": open_various}
