"""Looks at every task of every split; runs in the child.

It imports the standard library, never the package around it.
"""

import re
import sys
from itertools import zip_longest

from skill_tools_jobs import runs
from skill_tools_jobs.deadline import Deadline, clock
from skill_tools_jobs.episodes import module, open_episode

MOST_LEVELS = 8
"""Values of a list of levels or settings; a longer one is what tasks are drawn from."""


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
    request: dict,
    played: dict,
    most: int,
    solve: int,
    top: float,
    max_turns: int,
    limit: dict,
) -> dict:
    """Read all tasks of all splits, open them while there is time, and play the oracle on some that were
    not played before.

    played: the number of tasks that were, by split. most, solve: tasks of a split to open, to solve.
    top: a return below which some episodes are kept with their steps, as are those of the first.
    """
    table, left = module(request, "_shared.task_table"), Deadline(**limit)
    mutated = [
        found for split in table.splits() if (found := _changed_task(request, split, max_turns))
    ]
    read = watch_fields(request)
    opened, solved = [], []
    for split in table.splits():
        tasks = table.tasks(split)
        for index in spread(len(tasks), most):
            opened.append(_open(request, split, index, max_turns if left else 0))
    left = Deadline(**limit)
    by_split = [
        [(split, index) for index in various(table.tasks(split), played.get(split, 0), solve)]
        for split in table.splits()
    ]
    first = [place for turn in zip_longest(*by_split) for place in turn if place is not None]
    all_of, short = [(each["split"], each["index"]) for each in opened], 0
    for split, index in dict.fromkeys([*first, *all_of]):
        if left:
            kept = (split, index) in first
            least = top if short < runs.MOST_KEPT else None
            found = runs.solve_alone(request, split, index, None, max_turns, kept=kept, top=least)
            short += "played" in found and not kept
            own = int(table.task_at(split, index).get("seed", 0))
            solved.append(found | {"own": own, "first": kept})
    sizes = {split: len(table.tasks(split)) for split in table.splits()}
    return {
        "opened": opened,
        "solved": solved,
        "read": sorted(map(str, read)),
        "sizes": sizes,
        "undealt": _undealt(request, table),
        "mutated": mutated,
    }


def open_various(request: dict, most: int, max_turns: int, limit: dict) -> list:
    """Open tasks of every split that differ in what they hold; the errors, as split, place and text."""
    table, left, found = module(request, "_shared.task_table"), Deadline(**limit), []
    by_split = [
        [(split, index) for index in various(table.tasks(split), 0, most)]
        for split in table.splits()
    ]
    for split, index in [place for turn in zip_longest(*by_split) for place in turn if place]:
        error = _open(request, split, index, max_turns)["error"] if left else ""
        if error:
            found.append([split, index, error])
    return found


def _changed_task(request: dict, split: str, max_turns: int) -> str:
    """The first task of a split and the fields that an episode of it changed, or ""."""
    table = module(request, "_shared.task_table")
    if not table.tasks(split):
        return ""
    before = {key: runs.checksum(value) for key, value in table.task_at(split, 0).items()}
    runs.solve_alone(request, split, 0, None, max_turns)
    after = {key: runs.checksum(value) for key, value in table.task_at(split, 0).items()}
    fields = sorted(k for k in {*before, *after} if before.get(k) != after.get(k))
    return f"{split}/0: {', '.join(map(str, fields))}" if fields else ""


def _undealt(request: dict, table: object) -> list:
    """Lists of constants in the tasks' module that are dealt to tasks, and what of each never is."""
    tasks = [task for split in table.splits() for task in table.tasks(split)]
    source = sys.modules.get(f"{request['package']}.{request.get('tasks', 'tasks')}")
    found = []
    for name, several in list(vars(source).items()) if source else []:
        if name.startswith("_") or not isinstance(several, list | tuple):
            continue
        few = 2 <= len(several) <= min(MOST_LEVELS, len(tasks) // 3)
        if not few or not all(map(_plain, several)):
            continue
        left = [value for value in several if not any(_has(task, value) for task in tasks)]
        if len(left) < len(several):
            found.append({"name": name, "left": [str(v) for v in left], "of": len(several)})
    return found


def _plain(value: object) -> bool:
    parts = value if isinstance(value, tuple) else (value,)
    return bool(parts) and all(isinstance(part, str | int) for part in parts)


def _has(task: dict, value: object) -> bool:
    """Whether a task has a constant, or each part of it, among its fields."""
    own = [each for key, each in task.items() if key not in ("id", "seed")]
    return all(part in own for part in (value if isinstance(value, tuple) else (value,)))


def spread(count: int, most: int) -> list:
    """At most so many places of a number of them, evenly."""
    return list(range(count)) if count <= most else [place * count // most for place in range(most)]


def various(tasks: list, first: int, most: int) -> list:
    """Places from `first` on whose fields hold what those before did not: another level, kind or form.

    The last place comes first: it is the one that nobody played. A field of few values weighs more.
    """
    traits = [_traits(task) for task in tasks]
    values: dict = {}
    for name, value in {trait for several in traits for trait in several}:
        values.setdefault(name, set()).add(value)
    weights = {name: 1 / len(several) for name, several in values.items()}
    seen = {trait for several in traits[:first] for trait in several}
    left, chosen = set(range(first, len(tasks))), []
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


def _traits(task: dict) -> set:
    """A task's fields with what each holds: a short text or number as it is, otherwise its form."""
    return {
        (str(key), kind)
        for key, value in task.items()
        if key not in ("id", "seed")
        for kind in (str(value)[:60], _form(str(value)[:60]))
    }


def _form(text: str) -> str:
    """How a text looks: a number, a date, several words."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", text))


def _open(request: dict, split: str, index: int, max_turns: int) -> dict:
    task = module(request, "_shared.task_table").task_at(split, index)
    found = {
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
    found["prompt"] = "\n".join(message["content"] for message in world.prompt)[:20_000]
    world.close()
    return found


JOBS = {"survey_play": survey_play, "open_various": open_various}
