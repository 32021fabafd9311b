"""What exploiting players earned: choosing, weighing and telling it, for checks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from statistics import fmean
from typing import TypeVar

from skill_tools.evidence.evidence import Attempt, Evidence
from skill_tools.evidence.markers import MARK

Key = TypeVar("Key", bound=Hashable)


def attempts(evidence: Evidence, *kinds: str) -> list[Attempt]:
    """What was tried of some kinds, and has a return."""
    found = [each for kind in kinds for each in evidence.probed.attempts.get(kind, [])]
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
    totals = [each.trajectory.total for each in several]
    return (fmean(totals) - low) / (high - low) if totals and high > low else 0.0


def tops(evidence: Evidence, several: Iterable[Attempt]) -> list[Attempt]:
    """Those that reached the top."""
    high = evidence.declaration.reward_range[1]
    return [each for each in several if each.trajectory.total >= high - CLOSE]


def grouped(several: Iterable[Attempt], by: Callable[[Attempt], Key]) -> dict[Key, list[Attempt]]:
    """What was tried, by player, task or whatever else."""
    found: dict[Key, list[Attempt]] = defaultdict(list)
    for each in several:
        found[by(each)].append(each)
    return found


def total(one: Attempt) -> float:
    """The return of what was tried; it has one."""
    return one.trajectory.total or 0.0


def told(one: Attempt) -> str:
    """The episode that shows it, to be replayed."""
    return f"on {one.of}: {one.calls} returned {one.trajectory.total:g}"


CLOSE = 1e-9


def _says(each: Attempt, what: str) -> bool:
    return any(f"{MARK} {what}" in step.text for step in each.trajectory.steps)
