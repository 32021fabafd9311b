"""What exploiting players earned: choosing, weighing and telling it, for checks."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from statistics import fmean
from typing import TypeVar

from skill_tools.checks.check import Hit, Place, Status
from skill_tools.checks.needs import PROBED, REWARD_RANGE
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.markers import MARK
from skill_tools.evidence.probed import Attempt
from skill_tools.evidence.trajectory import Trajectory, return_of

Key = TypeVar("Key", bound=Hashable)


def attempts(evidence: Evidence, *kinds: str) -> list[Attempt]:
    """What was tried of some kinds, and has a return."""
    found = [each for kind in kinds for each in PROBED.of(evidence).attempts.get(kind, [])]
    return [each for each in found if each.trajectory.total is not None]


def least_and_top(evidence: Evidence) -> tuple[float, float]:
    """What doing nothing earns in the mean, and the top of the range."""
    idle = (evidence.reference or {}).get("noop", {}).values()
    totals = [each.total for each in idle if each.total is not None]
    low, high = evidence.declaration.reward_range or (0.0, 1.0)
    return (fmean(totals) if totals else low), high


def share(evidence: Evidence, several: Iterable[Attempt]) -> float:
    """The mean return of what was tried: 0.0 is doing nothing, 1.0 the top."""
    low, high = least_and_top(evidence)
    totals = [total(each) for each in several]
    return (fmean(totals) - low) / (high - low) if totals and high > low else 0.0


def tops(evidence: Evidence, several: Iterable[Attempt]) -> list[Attempt]:
    """Those that reached the top."""
    high = REWARD_RANGE.of(evidence)[1]
    return [each for each in several if total(each) >= high - CLOSE]


def grouped(several: Iterable[Attempt], by: Callable[[Attempt], Key]) -> dict[Key, list[Attempt]]:
    """What was tried, by player, task or whatever else."""
    found: dict[Key, list[Attempt]] = defaultdict(list)
    for each in several:
        found[by(each)].append(each)
    return found


def total(one: Attempt) -> float:
    """The return of what was tried; it has one."""
    return return_of(one.trajectory)


def same_change(one: Attempt) -> str:
    """What was changed, as a key of all attempts that changed the same."""
    return json.dumps(one.change, sort_keys=True, default=str)


def describe(one: Attempt) -> str:
    """On which task something was tried, what was called and what it earned, in words."""
    return f"on {one.of}: {one.calls} returned {one.trajectory.total:g}"


def seen_in(
    played: Trajectory | Attempt,
    message: str,
    level: Status | None = None,
    *,
    tool: str = "",
    parameter: str = "",
) -> Hit:
    """A hit that an episode shows, at its task, and of a tool where that is named."""
    shown = played.trajectory if isinstance(played, Attempt) else played
    return Hit(message, shown, Place(task_of(shown), tool, parameter), level)


def task_of(played: Trajectory) -> str:
    """The task of an episode as split/index where that is known, else its label."""
    known = played.split is not None and played.index is not None
    return f"{played.split}/{played.index}" if known else played.label


def too_few(found: list[Attempt]) -> str:
    """Why so few attempts tell nothing."""
    return f"{len(found)} attempts with a return are too few to tell" if found else UNSCORED


FEW = 3
"""Attempts below which a share says nothing."""
UNSCORED = "no attempt has a return"
"""Why there is nothing to judge where every attempt failed."""
CLOSE = 1e-9


def _says(each: Attempt, what: str) -> bool:
    return any(f"{MARK} {what}" in step.text for step in each.trajectory.steps)
