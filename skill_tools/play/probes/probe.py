"""Trials: scripts to be tried beside those of the policies, and what they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from jsonschema import Draft202012Validator

from skill_tools.evidence.trajectory import Played, Trajectory

TASKS = 6
"""Tasks that are varied, of those that were played."""


Calls = list[tuple[str, Any]]


@dataclass(frozen=True)
class Trial:
    """A script to try: its kind, what it is in words, the oracle's episode that it varies.

    beside: the episode that it is to be compared with.
    """

    kind: str
    what: str
    of: str
    split: str
    index: int
    calls: Calls
    beside: Trajectory | None = None


@dataclass(frozen=True)
class Ground:
    """What trials are made of: the oracle's episodes, everybody's, tools, turns and the top.

    lists: what the domain ships that is one of many, such as words; see ``listed``.
    """

    oracle: dict[str, Trajectory]
    played: Played
    tools: list[dict[str, Any]]
    most_calls: int
    top: float
    lists: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def solved(self) -> list[Trajectory]:
        """The oracle's episodes that reached the top."""
        return [
            t for t in self.oracle.values() if t.total is not None and t.total >= self.top - 1e-9
        ]

    @property
    def everything(self) -> list[Trajectory]:
        """What all policies played."""
        return [each for by_label in self.played.values() for each in by_label.values()]

    def schema(self, tool: str, name: str) -> dict[str, Any]:
        """The JSON Schema of a tool's parameter; empty if there is none."""
        found = next((each["parameters"] for each in self.tools if each["name"] == tool), {})
        return found.get("properties", {}).get(name, {})

    def allows(self, tool: str, arguments: Any) -> bool:
        """Whether a tool's schema takes arguments."""
        found = next((each["parameters"] for each in self.tools if each["name"] == tool), None)
        return found is not None and Draft202012Validator(found).is_valid(arguments)


def calls_of(trajectory: Trajectory) -> Calls:
    """What was called in an episode, up to its end."""
    return [
        (step.tool, step.arguments) for step in trajectory.steps if step.error != "episode_over"
    ]


def deciding(trajectory: Trajectory) -> int:
    """The place of the call that earned the most of an episode; the later one of equals."""
    best = max((step.reward for step in trajectory.steps), default=0.0)
    places = [n for n, step in enumerate(trajectory.steps) if step.reward >= best - 1e-9]
    return places[-1] if places else 0


def decided(trajectory: Trajectory) -> Any:
    """The arguments of the call that decided; an empty object where there was none."""
    calls = calls_of(trajectory)
    return calls[deciding(trajectory)][1] if calls else {}


def whole_numbers(given: Any) -> dict[str, int]:
    """The arguments of a call that are whole numbers."""
    values = given.items() if isinstance(given, dict) else ()
    return {name: v for name, v in values if isinstance(v, int) and not isinstance(v, bool)}


def point_of(given: Any) -> tuple[int, int] | None:
    """The place on a picture that a call names, as x and y in pixels."""
    if not isinstance(given, dict) or not {"x", "y"} <= given.keys():
        return None
    x, y = given["x"], given["y"]
    return (x, y) if isinstance(x, int) and isinstance(y, int) else None


def shape(trajectory: Trajectory) -> str:
    """How the call that decided looks: with a number, a date, a word, several words."""
    calls = calls_of(trajectory)
    said = repr(calls[deciding(trajectory)]) if calls else ""
    return re.sub(r"[a-z]+", "a", re.sub(r"\d+", "9", said.lower()))


def as_trial(
    kind: str,
    what: str,
    of: Trajectory,
    calls: Iterable[tuple[str, Any]],
    beside: Trajectory | None = None,
) -> Trial:
    """A trial that varies an episode, on its task."""
    return Trial(kind, what, of.label, of.split or "", of.index or 0, list(calls), beside)
