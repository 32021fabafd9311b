"""Which fields of what an environment says have what solves its task, by their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

DEEPEST = 6
"""Levels of lists and objects that are looked through: a state has fewer, and a hostile one any number."""
MOST = 5
"""Names that are told, in a message of one line."""
ANSWER = re.compile(
    r"(\w{1,40}_)?(answers?|solutions?|secrets?|ground_?truth)(_(word|number|code|text|value))?",
    re.IGNORECASE,
)
"""Names of fields that have what solves a task."""


def name_answers(said: Any) -> list[str]:
    """The names of such fields that are not empty, in JSON data of bounded size."""
    return sorted(set(_walk(said, DEEPEST)))[:MOST]


def _walk(said: Any, depth: int) -> Iterator[str]:
    if isinstance(said, list) and depth:
        for each in said:
            yield from _walk(each, depth - 1)
    for name, value in said.items() if isinstance(said, dict) and depth else ():
        if ANSWER.fullmatch(name) and value not in (None, "", 0, [], {}):
            yield name
        else:
            yield from _walk(value, depth - 1)
