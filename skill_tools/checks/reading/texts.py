"""Values of tasks, and the search for a value in a text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from skill_tools.evidence.trajectory import Trajectory


def stands_in(words: str, text: str) -> bool:
    """Return whether a text contains these words unchanged, and not as part of a longer word."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def holds(text: str, value: str) -> bool:
    """Return whether a text contains a value. A short value must be a separate word."""
    if len(value) >= LONG or value not in text:
        return value in text
    return stands_in(value, text)


def text_of(value: Any) -> str:
    """Return all scalars in JSON data as one text, without escapes."""
    return "\n".join(str(scalar) for scalar in scalars(value))


def scalars(value: Any) -> Iterator[Any]:
    """Yield every scalar in JSON data, except None and booleans."""
    if isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from scalars(inner)
    elif value is not None and not isinstance(value, bool):
        yield value


LONG = 5
"""Minimum length of a value that does not occur within another word by chance."""


def common(openings: list[Counter[str]]) -> Counter[str]:
    """Return the words that occur in all openings. The count of each word is its lowest count in any opening."""
    found = openings[0] if openings else Counter()
    for each in openings[1:]:
        found &= each
    return found


def words_of(text: str, *, numbers: bool = True) -> Counter[str]:
    """Return the words and numbers of a text in lower case, with their counts."""
    return Counter(re.findall(r"[a-z]{2,}|\d+" if numbers else r"[a-z]{2,}", text.lower()))


def opening(trajectory: Trajectory) -> str:
    """Return the text that an agent receives before its first call."""
    return trajectory.opening
