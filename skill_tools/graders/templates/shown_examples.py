"""Right answers in the shape of the example that a prompt shows, such as ``Position: 40.71, -74.01``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

QUOTED = re.compile(
    r"`([^`\n]{2,160})`|\"([^\"\n]{2,160})\"|(<(\w{1,20})>[^<\n]{1,160}</\4>)"
    r"|(?:for example|such as|e\.g\.|as in|in the form|in this form:?) ([^\n.`\"<]{2,80})"
)
"""Matches a part of a prompt that may be an example of a reply."""
NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?![\w])")
WRAPPED = re.compile(r"^<(\w{1,20})>(.*)</\1>$|^([A-Z][A-Za-z ]{0,30}: ?)(.*)$", re.DOTALL)
"""Matches tags or a label around an example; templates of replies have these."""
SEPARATORS = (" > ", " -> ", " → ", " | ", "; ", ", ", " - ", ",", "-", " ")
"""Marks between the items of a list in an example, the most telling first."""
BETWEEN = re.compile(r"^([^:=]{1,30}?)(: ?|=)(.{1,30})$")
"""Matches an item of an example that is a pair."""
MOST = 4
"""Maximum number of numbers in an example that columns may fill."""
LEAST_ITEMS = 2


def examples_in(prompt: str) -> list[str]:
    """Return what a prompt shows as examples, in its order."""
    found = (next(filter(None, (m[1], m[2], m[3], m[5])), "") for m in QUOTED.finditer(prompt))
    return list(dict.fromkeys(each.strip() for each in found if each.strip()))


def number_frames(prompt: str) -> list[tuple[str, str]]:
    """Return the text before and after the only number of each example that has further text."""
    frames = []
    for example in examples_in(prompt):
        numbers = list(NUMBER.finditer(example))
        if len(numbers) == 1:
            pair = example[: numbers[0].start()], example[numbers[0].end() :]
            frames += [pair] if "".join(pair).strip() else []
    return frames


def in_shape(prompt: str, row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the names of columns and their values in the shape of an example of the row's prompt.

    The tags or the label around the example are left out. Columns with numbers fill an example with as many numbers;
    a column with a list fills one whose items have the same mark between them.
    """
    numeric = [(name, str(value)) for name, value in row.items() if _is_numeric(value)]
    lists = [(name, value) for name, value in row.items() if isinstance(value, list) and value]
    for example in examples_in(prompt):
        inner = _inner(example)
        marks = NUMBER.split(inner)
        count = len(marks) - 1
        if LEAST_ITEMS <= count <= MOST and count <= len(numeric):
            for start in range(len(numeric) - count + 1):
                part = numeric[start : start + count]
                filled = "".join(m + v for m, (_, v) in zip(marks, part, strict=False)) + marks[-1]
                yield "+".join(name for name, _ in part), filled
        for name, items in lists:
            if text := _as_list(inner, items):
                yield name, text


def _as_list(example: str, items: Sequence[Any]) -> str:
    """Return a list as the example writes one; "" if the example does not list such items."""
    separator = next((s for s in SEPARATORS if example.count(s) >= LEAST_ITEMS - 1), "")
    shown = example.split(separator) if separator else []
    if len(shown) < LEAST_ITEMS:
        return ""
    pair = BETWEEN.match(shown[0])
    if pair and all(isinstance(each, list | tuple) and len(each) == 2 for each in items):
        return separator.join(f"{one}{pair[2]}{other}" for one, other in items)
    if pair or not all(isinstance(each, str | int | float) for each in items):
        return ""
    return separator.join(map(str, items))


def _inner(example: str) -> str:
    found = WRAPPED.match(example)
    return (found[2] if found[1] else found[4]) if found else example


def _is_numeric(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int | float) or (
        isinstance(value, str) and bool(NUMBER.fullmatch(value))
    )
