"""The tasks of each split, in a table or JSON-lines files. `skill-tools render` overwrites this file."""

import codecs
import importlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, overload

from .arguments import clean_all
from .env_spec import DOMAIN, HIDDEN_FIELDS
from .env_spec import TASKS as _PLACE

_EMPTY = re.compile(rb"\s*(\{\s*\})?\s*")
_USUAL = ("train", "validation", "test")


def splits() -> list[str]:
    """Return the names of the splits, in the author's order."""
    return list(TASKS)


def tasks(split: str) -> Sequence[dict[str, Any]]:
    """Return all tasks of a split. For an unknown split, raise KeyError with a list of the splits."""
    if split not in TASKS:
        raise KeyError(f"there is no split {split!r}; the splits are: {', '.join(TASKS)}")
    return TASKS[split]


def task_at(split: str, index: int) -> dict[str, Any]:
    """Return one task. Raise KeyError for an unknown split and IndexError for an invalid index."""
    found = tasks(split)
    if not 0 <= index < len(found):
        last = len(found) - 1
        raise IndexError(f"there is no task {index} in split {split!r}; it has 0 to {last}")
    return clean_all(found[index])


def problem(
    split: str | None = None,
    index: int | None = None,
    task: dict[str, Any] | None = None,
    seed: int | None = None,
    max_turns: int | None = None,
    **unknown: Any,
) -> tuple[dict[str, Any], int | None, int | None]:
    """Return the arguments of `Episode` for a request that names a split and an index, or a whole task.

    The default is the first task of the first split. A seed without an index selects the task: the seed modulo
    the number of tasks. This is for trainers that can identify a task only by a seed. The world then has the
    task's own seed, so that no seed opens a world of another split.

    Raises ValueError, TypeError or LookupError for an invalid request. This includes unknown fields, which could
    otherwise silently select another task.
    """
    if unknown:
        odd, known = ", ".join(map(repr, unknown)), "split, index, task, seed and max_turns"
        raise ValueError(f"unknown: {odd}; allowed are {known}")
    for name, value in (("index", index), ("seed", seed), ("max_turns", max_turns)):
        if value is not None and (type(value) is not int or (name == "max_turns" and value < 1)):
            least = " of at least 1" if name == "max_turns" else ""
            raise ValueError(f"{name} is {value!r}; it must be a whole number{least}")
    if not isinstance(task, dict | None):
        raise TypeError(f"task is {task!r}; it must be an object")
    if task is not None:
        return task, seed, max_turns
    split = split or splits()[0]
    if index is None and seed is not None:
        index, seed = seed % len(tasks(split)), None
    return task_at(split, index or 0), seed, max_turns


def public(task: dict[str, Any]) -> dict[str, Any]:
    """Return a task without its hidden fields, for lists and display."""
    return clean_all({key: value for key, value in task.items() if key not in HIDDEN_FIELDS})


def _read_tasks() -> Mapping[str, Sequence[dict[str, Any]]]:
    module, _, name = _PLACE.partition(":")
    if name:
        found: Mapping[str, Sequence[dict[str, Any]]]
        found = getattr(importlib.import_module(f"..{module}", __package__), name)
        return found
    domain = importlib.import_module(f"..{DOMAIN.partition(':')[0]}", __package__)
    folder = Path(str(domain.__file__)).parent  # the author's; this module can be elsewhere
    files = {path.stem: path for path in folder.glob(_PLACE.replace("{split}", "*"))}
    names = sorted(files, key=lambda n: (_USUAL.index(n) if n in _USUAL else len(_USUAL), n))
    return {name: JsonLines(files[name]) for name in names}


class JsonLines(Sequence[dict[str, Any]]):
    """The tasks in a file. Each task is read from its line on access, in constant time.

    Empty lines and empty objects are not tasks. Raises ValueError or TypeError for a line that is
    not a JSON object.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        number, start, end = self._lines[index]
        place = f"tasks file {self.path.name}, line {number}"
        try:
            task = json.loads(self._content[start:end].decode())
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from error
        if not isinstance(task, dict):
            raise TypeError(f"{place}: not a JSON object")
        return task

    @cached_property
    def _content(self) -> bytes:
        return self.path.read_bytes().removeprefix(codecs.BOM_UTF8)

    @cached_property
    def _lines(self) -> list[tuple[int, int, int]]:
        """Return the line number, the start and the end of each line that holds a task."""
        found, start = [], 0
        for number, line in enumerate(self._content.split(b"\n"), 1):
            end = start + len(line)
            if not _EMPTY.fullmatch(line):
                found.append((number, start, end))
            start = end + 1
        return found


TASKS = _read_tasks()
