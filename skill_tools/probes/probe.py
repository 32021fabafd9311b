"""Trials (scripts that are played in addition to the policies' scripts), and the context that is needed to make
trials.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from jsonschema import Draft202012Validator

from skill_tools.evidence.calls import Calls
from skill_tools.evidence.trajectory import Played, Trajectory

TASKS = 6
"""Maximum played tasks to vary."""


@dataclass(frozen=True)
class Trial:
    """A script to play.

    Attributes:
        probe: The probe to which the script belongs.
        words: A description of the script.
        of: The label of the episode that the script varies.
        compared: The episode to compare the result with.
        change: The variation, as data.
        roles: The replies of the models inside the environment, instead of the stand-ins' replies. None keeps the
            stand-ins, and does not record the requests to them.
    """

    probe: str
    words: str
    of: str
    split: str
    index: int
    calls: Calls
    compared: Trajectory | None = None
    change: dict[str, Any] = field(default_factory=dict)
    roles: dict[str, Any] | None = None


@dataclass(frozen=True)
class ProbeContext:
    """The material for trials: episodes of the oracle and of other policies, tools, turn limit and maximum return.

    Attributes:
        tops: The maximum return of each task whose maximum differs from ``top``, keyed by label.
        lists: The domain's lists of similar items, such as words; see ``shipped_lists``.
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
        """The oracle's episodes with the maximum return, without tasks on which doing nothing earns as much."""
        return [t for t in self.oracle.values() if self.won(t) and not self._idle_wins(t.label)]

    def won(self, played: Trajectory) -> bool:
        """Return whether an episode reached its task's maximum return."""
        most = self.tops.get(played.label, self.top)
        return played.total is not None and played.total >= most - 1e-9

    def _idle_wins(self, label: str) -> bool:
        """Return whether doing nothing earns a task's maximum return, for example because no play earns more."""
        idle = self.played.get("noop", {}).get(label)
        return label in self.tops and idle is not None and self.won(idle)

    @property
    def everything(self) -> list[Trajectory]:
        """The episodes of all policies."""
        return [each for by_label in self.played.values() for each in by_label.values()]

    def schema(self, tool: str, name: str) -> dict[str, Any]:
        """Return the JSON Schema of a tool's parameter, or an empty schema if the parameter does not exist."""
        found = next((each["parameters"] for each in self.tools if each["name"] == tool), None)
        schema: dict[str, Any] = (found or {}).get("properties", {}).get(name, {})
        return schema

    def allows(self, tool: str, arguments: Any) -> bool:
        """Return whether a tool's schema accepts arguments."""
        found = next((each["parameters"] for each in self.tools if each["name"] == tool), None)
        return found is not None and Draft202012Validator(found).is_valid(arguments)


def as_trial(
    probe: str,
    words: str,
    of: Trajectory,
    calls: Iterable[tuple[str, Any]],
    compared: Trajectory | None = None,
    *,
    roles: dict[str, Any] | None = None,
    **change: Any,
) -> Trial:
    """Make a trial that varies an episode and runs on the same task."""
    place = (of.label, of.split or "", of.index or 0)
    return Trial(probe, words, *place, list(calls), compared, change, roles)


def first_of_each(trials: Sequence[Trial], count: int) -> tuple[list[Trial], int]:
    """Move the first few trials of each probe to the front. Return all trials, and the number of moved trials."""
    seen: Counter[str] = Counter()
    first: list[Trial] = []
    others: list[Trial] = []
    for trial in trials:
        seen[trial.probe] += 1
        (first if seen[trial.probe] <= count else others).append(trial)
    return [*first, *others], len(first)
