"""Repros: a finding as runs of an environment that anyone can repeat, and their expected results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from skill_tools.audit.scripts import Call
from skill_tools.evidence.audited import Shows
from skill_tools.evidence.trajectory import Trajectory

Kind = Literal[
    "paid",  # the last run's return is at least a limit; of two, that of the first
    "refused",  # the last run's return is below a limit, or it breaks
    "raises",  # the run breaks
    "differs",  # two runs of the same calls differ
    "same",  # runs with different seeds are all equal
    "mixed",  # a run differs if another runs concurrently
    "crowded",  # a run breaks only if another runs concurrently
    "late",  # a call after the end is rewarded
    "untold",  # no run reports a reward
    "rises",  # the longest has a higher return than the shortest, and none a lower one than a shorter run
    "gives",  # the run has this return
]
By = Literal["paid", "shown"]
"""How two runs are compared: by rewards and ends, or also by everything shown."""
BY_CHANCE: tuple[Kind, ...] = ("differs", "mixed", "crowded")
"""Defects for which varying output is the defect itself, so only the verdict is compared."""


@dataclass(frozen=True)
class Defect:
    """The facts of a finding that a repro uses: ``task`` and ``shown`` are its place.

    shows: What shows its defect, according to its check, or "".
    """

    check: str
    name: str
    message: str
    shows: Shows | Literal[""] = ""
    task: str = ""
    shown: Trajectory | None = None


@dataclass(frozen=True)
class Run:
    """Calls on one task: ``what`` describes them, ``expected`` their expected result.

    label: The task's label in episodes.
    beside: Indices and replies of the same batch.
    message: The model's last message.
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
        """The place where the run is played, in the form that drivers use."""
        return {"label": self.label, "split": self.split, "index": self.index, "seed": self.seed}


@dataclass(frozen=True)
class Repro:
    """Runs, and the results that constitute the defect. ``shows`` and ``fixed`` put its presence
    and absence into words. limit: A return to compare with. least: The return of a wrong answer.
    reach: The number of affected tasks, in words. apart: Whether each run needs its own process.
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
