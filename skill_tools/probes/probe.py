"""Trials: scripts to be tried next to those of the policies, and what they are made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from jsonschema import Draft202012Validator

from skill_tools.evidence.calls import Calls
from skill_tools.evidence.trajectory import Played, Trajectory

TASKS = 6
"""Tasks that are varied, of those that were played."""


@dataclass(frozen=True)
class Trial:
    """A script to try: its probe, what it is in words, the oracle's episode that it varies.

    change: what is changed, as data. compared: the episode that it is to be compared with.
    """

    probe: str
    words: str
    of: str
    split: str
    index: int
    calls: Calls
    compared: Trajectory | None = None
    change: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ProbeContext:
    """What trials are made of: the oracle's episodes, everybody's, tools, turns and the top.

    tops: the most that each task pays, by label, where that is another than the top. lists: what the domain
    ships that is one of many, such as words; see ``listed``.
    """

    oracle: dict[str, Trajectory]
    played: Played
    tools: list[dict[str, Any]]
    most_calls: int
    top: float
    lists: list[tuple[str, ...]] = field(default_factory=list)
    tops: dict[str, float] = field(default_factory=dict)

    @property
    def solved(self) -> list[Trajectory]:
        """The oracle's episodes that reached the top, on tasks on which doing nothing does not."""
        return [t for t in self.oracle.values() if self.won(t) and not self._idle_wins(t.label)]

    def won(self, played: Trajectory) -> bool:
        """Whether an episode earned the most that its task pays."""
        most = self.tops.get(played.label, self.top)
        return played.total is not None and played.total >= most - 1e-9

    def _idle_wins(self, label: str) -> bool:
        """Whether the most that a task pays is what doing nothing earns, as where no deal is worth it."""
        idle = self.played.get("noop", {}).get(label)
        return label in self.tops and idle is not None and self.won(idle)

    @property
    def everything(self) -> list[Trajectory]:
        """What all policies played."""
        return [each for by_label in self.played.values() for each in by_label.values()]

    def schema(self, tool: str, name: str) -> dict[str, Any]:
        """The JSON Schema of a tool's parameter; empty if there is none."""
        found = next((each["parameters"] for each in self.tools if each["name"] == tool), None)
        schema: dict[str, Any] = (found or {}).get("properties", {}).get(name, {})
        return schema

    def allows(self, tool: str, arguments: Any) -> bool:
        """Whether a tool's schema takes arguments."""
        found = next((each["parameters"] for each in self.tools if each["name"] == tool), None)
        return found is not None and Draft202012Validator(found).is_valid(arguments)


def as_trial(
    probe: str,
    words: str,
    of: Trajectory,
    calls: Iterable[tuple[str, Any]],
    compared: Trajectory | None = None,
    **change: Any,
) -> Trial:
    """A trial that varies an episode, on its task."""
    place = (of.label, of.split or "", of.index or 0)
    return Trial(probe, words, *place, list(calls), compared, change)
