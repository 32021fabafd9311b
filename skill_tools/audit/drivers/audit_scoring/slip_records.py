"""Operations that record what their author rarely meant, such as an index that is negative.

`slip_watch` puts them in place of a grader's own operations. Each returns what the replaced operation returns, and
takes the line and the source of that operation last. Runs in the venv of an audit: standard library only.
"""

from __future__ import annotations

import contextlib
import operator
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

MOST = 40
"""Maximum records of one call."""
LONGEST = 90
"""Maximum characters of a shown value."""
LARGEST = 200
"""Maximum items of a collection to search for an item that is nearly the same."""
COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "in": lambda one, other: one in other,
    "not in": lambda one, other: one not in other,
}
_records: dict[tuple[str, int, str], dict[str, Any]] = {}


@contextlib.contextmanager
def recording() -> Iterator[list[dict[str, Any]]]:
    """Collect the records of the code that runs within, one for each kind and operation, as JSON objects."""
    _records.clear()
    found: list[dict[str, Any]] = []
    try:
        yield found
    finally:
        found += _records.values()
        _records.clear()


def _record(kind: str, line: int, source: str, values: str = "") -> None:
    if len(_records) < MOST:
        record = {"kind": kind, "line": line, "source": source, "values": values[:LONGEST]}
        _records.setdefault((kind, line, source), record)


def watched_item(values: Any, index: Any, line: int, source: str) -> Any:
    """Return an item by its index or key."""
    if isinstance(values, list | tuple | str) and type(index) is int and index < 0:
        _record("negative", line, source, str(index))
    elif isinstance(values, Counter | defaultdict):  # which have a value for every key
        _look_up(index, values, index in values, line, source)
    return values[index]


def watched_zip(line: int, source: str, *several: Any) -> Any:
    """Return tuples of items with the same position."""
    sizes = [len(each) for each in several if hasattr(each, "__len__")]
    if len({*sizes}) > 1:
        _record("dropped", line, source, " and ".join(map(str, sizes)))
    return zip(*several)  # noqa: B905 - as in the grader


def watched_division(one: Any, other: Any, line: int, source: str) -> Any:
    """Return a quotient."""
    if isinstance(other, int | float) and other < 0:
        _record("divisor", line, source, f"{one!r} / {other!r}")
    return one / other


def watched_test(value: Any, line: int, source: str) -> Any:
    """Return a value of which the grader takes the truth."""
    if value is None:
        _record("none", line, source)
    elif type(value) in (int, float) and value == 0:
        _record("zero", line, source)
    return value


def watched_exception(line: int, source: str) -> None:
    """Record the exception that is being handled."""
    error = sys.exc_info()[1]
    _record("caught", line, source, f"{type(error).__name__}: {error}")


def watched_comparison(one: Any, other: Any, sign: str, line: int, source: str) -> Any:
    """Return whether two values are equal, or whether a collection contains a value."""
    result = COMPARISONS[sign](one, other)
    if sign in ("==", "!="):
        _look_up(one, [other], (sign == "==") == bool(result), line, source)
    elif isinstance(other, list | tuple | set | frozenset | dict):
        _look_up(one, other, (sign == "in") == result, line, source)
    return result


def watched_get(mapping: Any, *arguments: Any, line: int, source: str) -> Any:
    """Return the value of a key, or a default."""
    if isinstance(mapping, dict):
        _look_up(arguments[0], mapping, arguments[0] in mapping, line, source)
    return mapping.get(*arguments)


class WatchedIterator:
    """An iterator that records whether it is read again after its end."""

    def __init__(self, iterator: Any, source: str) -> None:
        self.iterator, self.source, self.ended = iter(iterator), source, False

    def __iter__(self) -> WatchedIterator:
        if self.ended:
            _record("ended", sys._getframe(1).f_lineno, self.source)
        return self

    def __next__(self) -> Any:
        try:
            return next(self.iterator)
        except StopIteration:
            self.ended = True
            raise

    def __contains__(self, item: Any) -> bool:
        return item in self.iterator

    def __getattr__(self, name: str) -> Any:
        return getattr(self.iterator, name)


def _look_up(item: Any, several: Iterable[Any], found: bool, line: int, source: str) -> None:
    """Record whether an item was found, or only one that differs in capitals, spaces or type."""
    if found:
        _record("found", line, source)
    elif (plain := _plain(item)) not in ("", None):
        with contextlib.suppress(Exception):  # the grader's own types may not allow it
            known = list(several)
            if len(known) <= LARGEST and any(_plain(each) == plain for each in known):
                near = next(each for each in known if _plain(each) == plain)
                padded = isinstance(near, str) and isinstance(item, str) and near != near.strip()
                kind = "padded" if padded else "missed"
                _record(kind, line, source, f"{item!r} is not {near!r}")


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(map(_plain, value))
    if type(value) is int:
        return str(value)
    return " ".join(value.casefold().split()) if isinstance(value, str) else None


OPERATIONS: Mapping[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (
        *(watched_item, watched_zip, watched_division, watched_test, watched_exception),
        *(watched_comparison, watched_get, WatchedIterator),
    )
}
"""The operations by the names under which watched code calls them."""
