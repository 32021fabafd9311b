"""The levels of the tasks in a split: the author's own levels, or the settings in which tasks differ."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

FIELDS = ("level", "difficulty", "tier")
"""The fields in which authors say how hard a task is, the most common first."""
NAMED = 12
"""Maximum number of levels in an author's field; with more it is a quantity, such as a distance."""
SETTINGS = 6
"""Maximum number of combinations of other fields; with more, each has too few tasks."""
FEWEST = 3
"""Minimum tasks per combination of other fields, on average: a mean over two is meaningless."""
SHORT = 30
"""Maximum length of a field that names a level."""
ONE = "all"
"""The level of tasks that have no level."""
WORDS = (
    ("trivial", "tutorial", "warmup", "very easy"),
    ("easy", "simple", "low", "beginner", "short", "small"),
    ("medium", "middle", "normal", "moderate", "intermediate"),
    ("hard", "difficult", "high", "advanced", "long", "large"),
    ("very hard", "expert", "extreme", "insane"),
)
"""Words for levels, from easy to hard."""
_RANK = {word: rank for rank, several in enumerate(WORDS) for word in several}


@dataclass(frozen=True)
class Levels:
    """The level of each task, the names of all levels, and whether these names are ordered from easy to hard."""

    of: list[str]
    names: list[str]
    ordered: bool = False


def short_fields(task: Mapping[str, Any]) -> dict[str, Any]:
    """Return the task's fields that hold a number or a short text, except its id and seed.

    The child process has its own copy of this function (``ladder.read_settings``), because it cannot import this
    package.
    """
    return {
        name: value
        for name, value in task.items()
        if name not in ("id", "seed")
        and isinstance(value, str | int | float)
        and len(str(value)) <= SHORT
        and (not isinstance(value, float) or isfinite(value))
    }


def find_levels(settings: Sequence[Mapping[str, Any]], hidden: Collection[str] = ()) -> Levels:
    """Return the levels of tasks, according to the tasks' fields.

    A hidden field is used only if its name is one of FIELDS, such as ``difficulty``.
    """
    for name in FIELDS:
        values = [task.get(name) for task in settings]
        if None not in values and len(set(values)) <= NAMED:
            return _named(name, values)
    fields = dict.fromkeys(name for task in settings for name in task if name not in hidden)
    few = [
        name
        for name in fields
        if all(name in task for task in settings)
        and 2 <= len({task[name] for task in settings}) <= SETTINGS
    ]
    labels = [", ".join(f"{name} {task[name]}" for name in few) for task in settings]
    names = list(dict.fromkeys(labels))
    if 2 <= len(names) <= SETTINGS and len(labels) >= FEWEST * len(names):
        return Levels(labels, sorted(names, key=_numbers))
    return Levels([ONE] * len(settings), [ONE])


def _named(field: str, values: Sequence[Any]) -> Levels:
    distinct = list(dict.fromkeys(values))
    ranks = [_rank(value) for value in distinct]
    ordered = None not in ranks and len(set(ranks)) == len(ranks)
    if ordered:
        distinct.sort(key=lambda value: _rank(value) or 0)
    labels = {value: value if isinstance(value, str) else f"{field} {value}" for value in distinct}
    return Levels([labels[value] for value in values], list(labels.values()), bool(ordered))


def _rank(value: Any) -> float | None:
    """Return the difficulty of a level as a number for sorting; None if its name does not show the difficulty."""
    if not isinstance(value, str):
        return float(value)
    if (word := re.sub(r"[\s_-]+", " ", value.strip().lower())) in _RANK:
        return float(_RANK[word])
    numbers = re.findall(r"\d+", value)
    return float(numbers[0]) if len(numbers) == 1 else None


def _numbers(label: str) -> list[tuple[int, str]]:
    """Return a sort key that puts "level 10" after "level 9"."""
    parts = re.findall(r"\d+|\D+", label)
    return [(int(part), "") if part.isdigit() else (0, part) for part in parts]


def choose(levels: Sequence[str], most: int) -> list[int]:
    """Return the positions of at most ``most`` tasks, taken from each level in turn and spread within the level."""
    by_level: dict[str, list[int]] = {}
    for place, level in enumerate(levels):
        by_level.setdefault(level, []).append(place)
    shares = _share_out({level: len(places) for level, places in by_level.items()}, most)
    queues = [_spread(places, shares[level]) for level, places in by_level.items() if shares[level]]
    longest = max(map(len, queues), default=0)
    return [queue[turn] for turn in range(longest) for queue in queues if turn < len(queue)]


def _share_out(sizes: Mapping[str, int], most: int) -> dict[str, int]:
    """Return how many tasks to take from each level, as evenly as the sizes allow."""
    taken = dict.fromkeys(sizes, 0)
    left = min(most, sum(sizes.values()))
    while left:
        for level, size in sizes.items():
            if left and taken[level] < size:
                taken[level] += 1
                left -= 1
    return taken


def _spread(places: Sequence[int], most: int) -> list[int]:
    return [places[at * len(places) // most] for at in range(most)]


def in_order(names: Iterable[str], present: Collection[str]) -> list[str]:
    """Return the levels that occur in ``present``, in the order of ``names``."""
    return [name for name in names if name in present]
