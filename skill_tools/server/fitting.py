"""Making an answer fit: no result of an MCP tool is over 10,000 bytes of JSON.

Clients cut longer results in the middle, or refuse them. Lists are paged, long texts are clipped
with a note of what is missing, and ``within`` is the last resort that makes more impossible.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from skill_tools.errors import SkillToolsError

LIMIT = 10_000
"""Bytes of JSON, in the most wasteful of the usual ways of writing it."""
LONG, SHORT = 2500, 600
"""Bytes of a text that matters, and of one that goes along."""
_Answer = TypeVar("_Answer", bound=BaseModel)
_Item = TypeVar("_Item")
_HARDER = ((2000, 100), (600, 50), (300, 30), (150, 20), (60, 10), (30, 5), (10, 2))


def size(value: Any) -> int:
    """Bytes of an answer, or of plain data, as JSON."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json", by_alias=True)
    return len(json.dumps(value))


def clip(text: str, most: int, *, end: bool = False) -> str:
    """The start (or the end) of a text, at most ``most`` bytes as JSON, saying what is missing."""
    # Half a pair of an emoji, as in broken output, has no UTF-8.
    text = text.encode("utf-8", "replace").decode("utf-8")
    if len(text) <= most and size(text) <= most:
        return text
    low, high = 0, min(len(text), most)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if size(_cut(text, middle, end)) <= most else (low, middle - 1)
    return _cut(text, low, end)


def _cut(text: str, kept: int, end: bool) -> str:
    note = f"[{len(text) - kept} more characters]"
    return f"{note} ... {text[len(text) - kept :]}" if end else f"{text[:kept]} ... {note}"


def page(
    items: Sequence[_Item],
    offset: int,
    limit: int,
    make: Callable[[Sequence[_Item], int | None], _Answer],
) -> _Answer:
    """The answer that ``make`` gives for as many items from ``offset`` on as fit.

    ``make`` gets the items and the next offset, None at the end. Raises SkillToolsError for an
    offset past the end.
    """
    if offset and offset >= len(items):
        last = f"the last of {len(items)} is {len(items) - 1}" if items else "there is nothing"
        raise SkillToolsError(f"offset {offset} is past the end: {last}; start again with offset 0")
    most = min(limit, len(items) - offset)

    def fits(count: int) -> bool:
        return size(_page(items, offset, count, make)) <= LIMIT

    # The longest page that fits; one item at least, or a caller would never get past it. Found
    # from below: what an answer holds is little, what there is may be very much.
    low, high = min(1, most), min(2, most)
    while high < most and fits(high):
        low, high = high, min(2 * high, most)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return _page(items, offset, low, make)


def _page(
    items: Sequence[_Item],
    offset: int,
    count: int,
    make: Callable[[Sequence[_Item], int | None], _Answer],
) -> _Answer:
    until = offset + count
    return make(items[offset:until], until if until < len(items) else None)


def lines_of(text: str) -> list[str]:
    """The lines of a file as they are shown: with their ends, and none longer than a page."""
    return [clip(line, LIMIT // 2) for line in text.splitlines(keepends=True)]


def within(answer: _Answer) -> _Answer:
    """The answer itself, or one with shorter texts and lists that is not over LIMIT."""
    if size(answer) <= LIMIT:
        return answer
    data = answer.model_dump(mode="json", by_alias=True)
    for text, items in _HARDER:
        shorter = _shortened(data, text, items)
        if size(shorter) <= LIMIT:
            return type(answer).model_validate(shorter)
    raise SkillToolsError("the answer is too long, however short its parts; ask for less of it")


def _shortened(value: Any, text: int, items: int) -> Any:
    if isinstance(value, str):
        return clip(value, text)
    if isinstance(value, list):
        return [_shortened(item, text, items) for item in value[:items]]
    if isinstance(value, dict):
        return {key: _shortened(item, text, items) for key, item in list(value.items())[:items]}
    return value
