"""Repros: runs of an environment that show a finding and that anyone can repeat, with their expected results."""

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
    """The facts of a finding that a repro uses.

    Attributes:
        shows: The kind of evidence that shows the defect, according to the check, or "".
        task: The task of the finding.
        shown: The episode of the finding.
    """

    check: str
    name: str
    message: str
    shows: Shows | Literal[""] = ""
    task: str = ""
    shown: Trajectory | None = None


@dataclass(frozen=True)
class Run:
    """Calls on one task.

    Attributes:
        what: A description of the calls, for the script's reader.
        expected: The expected result of the calls.
        label: The label of the task's episodes.
        beside: The other replies in the same batch, each with the index of its task.
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
        """The task of the run, in the form that drivers use."""
        return {"label": self.label, "split": self.split, "index": self.index, "seed": self.seed}


@dataclass(frozen=True)
class Repro:
    """Runs, and the results that constitute the defect.

    Attributes:
        shows: The message if the defect is present.
        fixed: The message if the defect is absent.
        reach: The number of affected tasks, as text.
        limit: The return to which the script compares the return of each run.
        least: The return of a wrong answer.
        apart: Whether each run needs its own process.
    """

    kind: Kind
    runs: tuple[Run, ...]
    shows: str
    fixed: str
    reach: str = ""
    limit: float = 0.0
    least: float = 0.0
    by: By = "paid"
    apart: bool = False


@dataclass(frozen=True)
class NoRepro:
    """The reason why a finding has no repro."""

    why: str
