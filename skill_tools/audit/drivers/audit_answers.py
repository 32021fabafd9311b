"""Find fields in an environment's data whose names suggest that they contain a task's solution."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

DEEPEST = 6
"""Maximum depth of lists and objects to search: usual states are less deep, hostile ones may be arbitrarily deep."""
MOST = 5
"""Maximum number of names reported, in a message of one line."""
ANSWER = re.compile(
    r"(\w{1,40}_)?(answers?|solutions?|secrets?|ground_?truth)(_(word|number|code|text|value))?",
    re.IGNORECASE,
)
"""Names of fields that contain a task's solution."""


def name_answers(said: Any) -> list[str]:
    """Return the names of such non-empty fields in JSON data of bounded size."""
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
