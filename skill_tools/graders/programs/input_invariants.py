"""Functions that compare an input with a task's examples in types, sizes, signs, order and letters.

A task may exclude an input that is unlike all examples; no program is wrong on such an input.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from typing import Any

WIDER = 2
"""Maximum value or length, as a multiple of the largest one in the examples."""
SMALL = 5
"""Whole numbers and lengths that always count as similar, unless the examples rule them out."""
TELLING = 3
"""Minimum distinct items in a list for its order not to be due to chance."""


def is_like(value: Any, seen: Sequence[Any]) -> bool:
    """Return whether a value resembles the values seen in the same place."""
    same = [each for each in seen if type(each) is type(value)]
    if not same:
        return False
    if isinstance(value, bool) or value is None:
        return True
    if isinstance(value, int | float):
        return _is_number_like(value, same)
    if isinstance(value, str):
        return _is_size_like(value, same) and _letters(*value) <= _letters(*"".join(same))
    if isinstance(value, Mapping):
        keys, values = (list(itertools.chain(*map(part, same))) for part in (list, _values))
        return (
            _is_size_like(value, same)
            and all(is_like(each, keys) for each in value)
            and all(is_like(each, values) for each in value.values())
        )
    if isinstance(value, list | tuple | set | frozenset):
        return _is_list_like(value, same)
    return value in same


def _values(value: Mapping[Any, Any]) -> list[Any]:
    return list(value.values())


def _is_number_like(value: float, same: Sequence[float]) -> bool:
    low, high = min(same), max(same)
    least = low if low >= 0 else -max(WIDER * max(-low, high), SMALL)
    most = high if high <= 0 else max(WIDER * max(-low, high), SMALL)
    return bool(least <= value <= most)


def _is_size_like(value: Sized, same: Sequence[Sized]) -> bool:
    sizes = {len(each) for each in same}
    if isinstance(value, tuple):
        return len(value) in sizes
    return min(sizes) <= len(value) <= max(WIDER * max(sizes), SMALL)


def _is_list_like(value: Any, same: Sequence[Any]) -> bool:
    if not _is_size_like(value, same):
        return False
    items = [item for each in same for item in each]
    if not all(is_like(item, items) for item in value):
        return False
    if any(_breaks_order(each, value, same) for each in _ORDERS):
        return False
    inner = [len(item) for item in items if isinstance(item, list)]
    if inner and len(inner) > 1:
        widths = {len(item) for item in value if isinstance(item, list)}
        if len(set(inner)) == 1 and not widths <= set(inner):
            return False
        if all(_is_even(each) for each in same) and not _is_even(value):
            return False
        return len(value) in widths or not all(_is_square(each) for each in same)
    return True


def _is_even(rows: Any) -> bool:
    return len({len(row) for row in rows if isinstance(row, list)}) <= 1


def _is_square(rows: Any) -> bool:
    return all(isinstance(row, list) and len(row) == len(rows) for row in rows)


def _rises(items: Sequence[Any]) -> bool:
    return all(one <= two for one, two in itertools.pairwise(items))


def _falls(items: Sequence[Any]) -> bool:
    return all(one >= two for one, two in itertools.pairwise(items))


_ORDERS: tuple[Callable[[Sequence[Any]], bool], ...] = (_rises, _falls)


def _breaks_order(order: Callable[[Sequence[Any]], bool], value: Any, same: Sequence[Any]) -> bool:
    """Return whether a value breaks an order that all examples follow.

    The result is False if the examples are too few to rule out chance.
    """
    if isinstance(value, set | frozenset):
        return False
    try:
        told = any(len(set(each)) >= TELLING for each in same)
        return told and all(order(each) for each in same) and not order(value)
    except TypeError:  # items without an order
        return False


def _letters(*text: str) -> set[str]:
    """Return the kinds of characters in texts, such as letters and digits; other characters are returned unchanged."""
    return {_letter(each) for each in text}


def _letter(each: str) -> str:
    if each.isdigit():
        return "digit"
    if not each.isascii():
        return "other"
    if each.isalpha():
        return "upper" if each.isupper() else "lower"
    return each


def relations(values: Sequence[Any]) -> frozenset[tuple[int, int, str]]:
    """Return how a call's arguments are related: one is smaller than, as long as, or part of another argument."""
    return frozenset(
        (one, two, name)
        for (one, first), (two, second) in itertools.permutations(enumerate(values), 2)
        for name in _between(first, second)
    )


def _between(first: Any, second: Any) -> Iterator[str]:
    numbers = [isinstance(each, int | float) for each in (first, second)]
    sized = [isinstance(each, str | list | tuple | set | dict) for each in (first, second)]
    if all(numbers):
        yield from ("at most",) * (first <= second)
        yield from ("other",) * (first != second)
    elif numbers[0] and sized[1]:
        yield from ("at most as many",) * (first <= len(second))
        yield from ("fewer",) * (first < len(second))
    elif all(sized):
        yield from ("as long",) * (len(first) == len(second))
        yield from ("no longer",) * (len(first) <= len(second))
    if sized[1] and not isinstance(second, str):
        yield from ("in",) * _is_in(first, second)
    elif isinstance(first, str) and isinstance(second, str):
        yield from ("in",) * (first in second)


def _is_in(value: Any, several: Any) -> bool:
    try:
        return bool(value in several)
    except TypeError:
        return False
