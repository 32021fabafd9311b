"""A right answer in JSON, with copies of it in which values are changed."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from skill_tools.graders.templates.question import NONSENSE, Question

MOST = 400
"""Maximum values of an object to change; a larger one is a document."""
Path = tuple[Any, ...]


@dataclass(frozen=True)
class Document:
    """A right answer in JSON, as a value.

    ``at`` is the path of the object or list to change. ``others`` are the right answers of other tasks, as JSON.
    """

    question: Question
    value: Any
    others: Sequence[Any] = ()
    at: Path = ()

    @cached_property
    def leaves(self) -> list[Path]:
        """Return the paths of the scalars in the value."""
        return list(scalar_paths(self.value))[:MOST]

    @property
    def here(self) -> Any:
        """Return the object or list at the path ``at``."""
        return look_up(self.value, self.at)

    @cached_property
    def telling(self) -> list[Any]:
        """Return the keys of the object at ``at`` whose values are not empty."""
        return [key for key, each in self.here.items() if each not in (None, "", [], {}, False)]

    @cached_property
    def parents(self) -> list[Path]:
        """Return the paths of all non-empty objects and lists, the outermost first."""
        places = {leaf[:depth] for leaf in self.leaves for depth in range(len(leaf))}
        return sorted(places, key=lambda path: (len(path), str(path)))

    def containers(self, kind: type) -> list[Path]:
        """Return the paths of the two outermost containers of this type, list or dict, and of an innermost one."""
        found = [each for each in self.parents if isinstance(look_up(self.value, each), kind)]
        return [*found[:2], *found[2:][-1:]]

    def where(self, fits: Callable[[Any], bool]) -> list[Path]:
        """Return the paths of the scalars for which ``fits`` is true."""
        return [each for each in self.leaves if fits(look_up(self.value, each))]

    def put(self, places: dict[Path, Any]) -> Any:
        """Return a copy of the value with other values at some paths."""
        new = copy.deepcopy(self.value)
        for path, other in places.items():
            if not path:
                return other
            look_up(new, path[:-1])[path[-1]] = other
        return new

    def changed(self, places: Sequence[Path]) -> Any:
        """Return a copy of the value with other values of the same types at some paths."""
        return self.put({each: other_value(look_up(self.value, each)) for each in places})

    def mapped(self, places: Sequence[Path], make: Callable[[Any], Any]) -> Any:
        """Return a copy of the value with a function applied at some paths."""
        return self.put({each: make(look_up(self.value, each)) for each in places})

    def replaced(self, container: Any) -> Any:
        """Return a copy of the value with ``container`` in place of the object or list at ``at``."""
        return self.put({self.at: container})


def look_up(value: Any, path: Path) -> Any:
    """Return the value at a path."""
    for key in path:
        value = value[key]
    return value


def scalar_paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the paths of the scalars in a value, which start with ``path``."""
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from scalar_paths(each, (*path, key))
    else:
        yield path


def other_value(value: Any) -> Any:
    """Return another value of the same type."""
    if isinstance(value, bool):
        return not value
    return value * 2 + 7 if is_numeric(value) else NONSENSE


def is_numeric(value: Any) -> bool:
    """Return whether a value is a number, and not a boolean."""
    return isinstance(value, int | float) and not isinstance(value, bool)
