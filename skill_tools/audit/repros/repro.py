"""Repros: a finding as runs of an environment that anybody can play, and what they have to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from skill_tools.audit.scripts import Call
from skill_tools.evidence.audited import Shows
from skill_tools.evidence.trajectory import Trajectory

Kind = Literal[
    "paid",  # the last run earns at least so much; of two, as much as the first
    "refused",  # the last run earns less than so much, or breaks
    "raises",  # the run breaks
    "differs",  # two runs of the same calls are not the same
    "same",  # runs with another seed are all the same
    "mixed",  # a run is another beside one than it is alone
    "crowded",  # a run breaks beside another, and not alone
    "late",  # a call after the end is paid
    "untold",  # no run is told any reward
    "rises",  # the longest earns more than the shortest, and none less than a shorter one
    "gives",  # the run earns so much
]
By = Literal["paid", "shown"]
"""In what two runs are compared: rewards and ends, or all that they show as well."""
BY_CHANCE: tuple[Kind, ...] = ("differs", "mixed", "crowded")
"""Of these it is the defect itself that what is seen differs from time to time: the verdict is compared alone."""


@dataclass(frozen=True)
class Defect:
    """A finding, as far as a repro is made of it: ``task`` and ``shown`` are its place.

    shows: what shows its defect, as its check says, or "".
    """

    check: str
    name: str
    message: str
    shows: Shows | Literal[""] = ""
    task: str = ""
    shown: Trajectory | None = None


@dataclass(frozen=True)
class Run:
    """Calls on one task: ``what`` they are and what is ``expected`` of them, in words.

    label: of the task, as episodes have it. beside: indices and replies that are in one batch with it.
    message: the model's last words.
    """

    what: str
    expected: str
    label: str
    split: str | None
    index: int | None
    seed: int
    calls: tuple[Call, ...] = ()
    beside: tuple[tuple[int, str], ...] = ()
    message: str = ""

    @property
    def place(self) -> dict[str, Any]:
        """Where it is played, as drivers are told."""
        return {"label": self.label, "split": self.split, "index": self.index, "seed": self.seed}


@dataclass(frozen=True)
class Repro:
    """Runs, and what of them is the defect.

    ``shows`` and ``fixed`` say in words that it is there, and that it is not. limit: a return; least: what
    a wrong answer earns; reach: on how many tasks, in words. apart: whether each run needs a process of its own.
    """

    kind: Kind
    runs: tuple[Run, ...]
    shows: str
    mended: str
    reach: str = ""
    limit: float = 0.0
    least: float = 0.0
    by: By = "paid"
    apart: bool = False


@dataclass(frozen=True)
class NoRepro:
    """Why a finding has no repro, in words."""

    why: str
