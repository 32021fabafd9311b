"""Values of tasks, and whether a text holds one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from skill_tools.evidence.trajectory import Trajectory


def stands_in(words: str, text: str) -> bool:
    """Whether words stand in a text as they are, and not within other words."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def holds(text: str, value: str) -> bool:
    """Whether a text has a value in it; a short one as a word of its own."""
    if len(value) >= LONG or value not in text:
        return value in text
    return stands_in(value, text)


def text_of(value: Any) -> str:
    """Every scalar of some data as one text, without any escapes."""
    return "\n".join(str(scalar) for scalar in scalars(value))


def scalars(value: Any) -> Iterator[Any]:
    """Every scalar of some JSON data, but None and booleans."""
    if isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from scalars(inner)
    elif value is not None and not isinstance(value, bool):
        yield value


LONG = 5
"""Characters from which a value is not found within another word by chance."""


def common(openings: list[Counter[str]]) -> Counter[str]:
    """What all openings say, as often as all do."""
    found = openings[0] if openings else Counter()
    for each in openings[1:]:
        found &= each
    return found


def words_of(text: str, *, numbers: bool = True) -> Counter[str]:
    """The words and numbers of a text in small letters, and how often each is there."""
    return Counter(re.findall(r"[a-z]{2,}|\d+" if numbers else r"[a-z]{2,}", text.lower()))


def opening(trajectory: Trajectory) -> str:
    """What an agent receives before its first call."""
    return text_of([message.get("content") for message in trajectory.prompt])
