"""Descriptions of the first difference between two values: its position, and both values at this position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

LONGEST = 200
"""Maximum characters of each value; longer ones are cut."""
ABSENT = "nothing"


def contrast(ours: Any, theirs: Any) -> str:
    """Return two values as text. Long values are cut to begin shortly before their first difference."""
    return " instead of ".join(_cut(ours, theirs))


def _cut(ours: Any, theirs: Any) -> tuple[str, str]:
    left, right = repr(ours), repr(theirs)
    same = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)
    start = max(0, same - 40) if max(len(left), len(right)) > LONGEST else 0
    before = "…" if start else ""
    shown, other = (
        before + text[start : start + LONGEST] + "…" * (len(text) > start + LONGEST)
        for text in (left, right)
    )
    return shown, other


def other_tools(ours: Sequence[Mapping[str, Any]], wanted: Sequence[Mapping[str, Any]]) -> str:
    """Return how the shown tools differ from the expected tools: in their names, or in the first differing field."""
    names, right = ([str(tool.get("name")) for tool in tools] for tools in (ours, wanted))
    lacking = [name for name in right if name not in names]
    more = [name for name in names if name not in right]
    if lacking and more:
        return f"it shows {', '.join(more)} instead of {', '.join(lacking)}"
    if lacking:
        return f"it does not show {', '.join(lacking)}"
    if more:
        return f"it also shows {', '.join(more)}"
    if names != right:
        return f"it shows the tools in another order: {', '.join(names)}"
    for mine, theirs in zip(ours, wanted, strict=True):
        if mine != theirs:
            place, left, other = _first_place(mine, theirs, [])
            return f"the tool {mine.get('name')}, {place}: {left} instead of {other}"
    return ""


def _first_place(ours: Any, theirs: Any, above: list[str]) -> tuple[str, str, str]:
    """Return the path to the first field that differs, and the field's value on each side."""
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        for name in [*theirs, *(name for name in ours if name not in theirs)]:
            if name not in ours:
                return ".".join([*above, name]), ABSENT, _cut(theirs[name], theirs[name])[0]
            if name not in theirs:
                return ".".join([*above, name]), _cut(ours[name], ours[name])[0], ABSENT
            if ours[name] != theirs[name]:
                return _first_place(ours[name], theirs[name], [*above, name])
    return ".".join(above), *_cut(ours, theirs)
