"""The calls in an episode, and the call that decided it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

from skill_tools.evidence.trajectory import Trajectory

Calls = list[tuple[str, Any]]


def calls_of(trajectory: Trajectory) -> Calls:
    """Return the calls made before the episode ended."""
    return [
        (step.tool, step.arguments) for step in trajectory.steps if step.error != "episode_over"
    ]


def deciding(trajectory: Trajectory) -> int:
    """Return the index of the deciding call, which is the last call with the highest reward."""
    best = max((step.reward for step in trajectory.steps), default=0.0)
    places = [n for n, step in enumerate(trajectory.steps) if step.reward >= best - 1e-9]
    return places[-1] if places else 0


def decided(trajectory: Trajectory) -> Any:
    """Return the arguments of the deciding call, or an empty object if no call was made."""
    calls = calls_of(trajectory)
    return calls[deciding(trajectory)][1] if calls else {}


def whole_numbers(given: Any) -> dict[str, int]:
    """Return the integer arguments of a call."""
    values = given.items() if isinstance(given, dict) else ()
    return {name: v for name, v in values if isinstance(v, int) and not isinstance(v, bool)}


def point_of(given: Any) -> tuple[int, int] | None:
    """Return the x and y coordinates of a call in pixels, or None if the call names no point."""
    if not isinstance(given, dict) or not {"x", "y"} <= given.keys():
        return None
    x, y = given["x"], given["y"]
    return (x, y) if isinstance(x, int) and isinstance(y, int) else None


def shape(trajectory: Trajectory) -> str:
    """Return the form of the deciding call: calls that differ only in their numbers and words have the same form."""
    calls = calls_of(trajectory)
    said = repr(calls[deciding(trajectory)]) if calls else ""
    return re.sub(r"[a-z]+", "a", re.sub(r"\d+", "9", said.lower()))


def show_calls(calls: Iterable[tuple[str, Any]]) -> str:
    """Return calls as one line: the last four calls, and the number of earlier calls."""
    written = [f"{tool}({json.dumps(given, ensure_ascii=False)[:120]})" for tool, given in calls]
    last = ", ".join(written[-4:]) or "no call"
    more = len(written) - 4
    return f"{more} other call{'s' if more > 1 else ''} and then {last}" if more > 0 else last


def of_each_shape(solved: dict[str, Trajectory], count: int) -> dict[str, Trajectory]:
    """Return up to ``count`` solved tasks, first those whose deciding calls have different forms."""
    shapes: dict[str, list[str]] = {}
    for label, each in solved.items():
        shapes.setdefault(shape(each), []).append(label)
    turns = zip_longest(*shapes.values())
    labels = [label for turn in turns for label in turn if label is not None]
    return {label: solved[label] for label in labels[:count]}
