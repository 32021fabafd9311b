"""Functions with which checks choose, score and describe attempts to exploit an environment."""

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
    """Return the attempts of the probes named ``kinds`` that have a return."""
    found = [each for kind in kinds for each in PROBED.of(evidence).attempts.get(kind, [])]
    return [each for each in found if each.trajectory.total is not None]


def bests_of(evidence: Evidence) -> dict[str, float]:
    """If the author declares maximum returns per task, return them by split/index. Otherwise return {}."""
    if evidence.declaration.best != "by_task":
        return {}
    found = {
        each.task: each.best
        for each in (evidence.probed.solved if evidence.probed else ())
        if each.best is not None and each.seed is None
    }
    dealt = evidence.reference.tasks
    for label, best in dealt.bests.items() if dealt else ():
        _, split, index, _ = label.rsplit("/", 3)
        found[f"{split}/{index}"] = best
    return found


def top_of(evidence: Evidence, played: Trajectory) -> float | None:
    """Return the maximum return of an episode's task.

    If the maximum is unknown, return the top of the declared range, or None if no range is declared.
    """
    declared = evidence.declaration.reward_range
    return bests_of(evidence).get(task_of(played), declared and declared[1])


def low_of(evidence: Evidence) -> float:
    """Return the mean return of doing nothing."""
    idle = (evidence.reference.episodes or {}).get("noop", {}).values()
    totals = [each.total for each in idle if each.total is not None]
    return fmean(totals) if totals else (evidence.declaration.reward_range or (0.0, 1.0))[0]


def share(evidence: Evidence, several: Iterable[Attempt]) -> float:
    """Return the mean return of attempts on a scale from 0.0 (doing nothing) to 1.0 (the maximum of the tasks)."""
    low, bests, found = low_of(evidence), bests_of(evidence), list(several)
    high = (evidence.declaration.reward_range or (0.0, 1.0))[1]
    highs = [bests.get(task_of(each.trajectory), high) for each in found]
    most = fmean(highs) if found else low
    return (fmean(map(total, found)) - low) / (most - low) if most > low else 0.0


def tops(evidence: Evidence, several: Iterable[Attempt]) -> list[Attempt]:
    """Return the attempts that reached their task's maximum return.

    Tasks on which doing nothing reaches the maximum are left out.
    """
    high, bests = REWARD_RANGE.of(evidence)[1], bests_of(evidence)
    idle = {
        task_of(each): return_of(each) + CLOSE
        for each in (evidence.reference.episodes or {}).get("noop", {}).values()
        if each.total is not None
    }

    def won(each: Attempt) -> bool:
        task = task_of(each.trajectory)
        most = bests.get(task, high)
        return total(each) >= most - CLOSE and not (
            task in bests and most <= idle.get(task, most - 1)
        )

    return [each for each in several if won(each)]


def grouped(several: Iterable[Attempt], by: Callable[[Attempt], Key]) -> dict[Key, list[Attempt]]:
    """Group attempts by player, task or any other key."""
    found: dict[Key, list[Attempt]] = defaultdict(list)
    for each in several:
        found[by(each)].append(each)
    return found


def total(one: Attempt) -> float:
    """Return the return of an attempt. The attempt must have a return."""
    return return_of(one.trajectory)


def same_change(one: Attempt) -> str:
    """Return a key for an attempt's ``change``. Equal changes have equal keys."""
    return json.dumps(one.change, sort_keys=True, default=str)


def describe(one: Attempt) -> str:
    """Return an attempt as text: its task, calls and return."""
    return f"on {one.of}: {one.calls} returned {one.trajectory.total:g}"


def seen_in(
    played: Trajectory | Attempt,
    message: str,
    level: Status | None = None,
    *,
    tool: str = "",
    parameter: str = "",
) -> Hit:
    """Return a hit with an episode. The hit's place is the episode's task and, if given, a tool and parameter."""
    shown = played.trajectory if isinstance(played, Attempt) else played
    return Hit(message, shown, Place(task_of(shown), tool, parameter), level)


def task_of(played: Trajectory) -> str:
    """Return an episode's task as split/index or, if the task is unknown, the episode's label."""
    known = played.split is not None and played.index is not None
    return f"{played.split}/{played.index}" if known else played.label


def on_tasks(several: Iterable[Trajectory], of: Iterable[Trajectory]) -> str:
    """Return how many of the tasks in ``of`` the episodes in ``several`` cover, such as "on 2 of 5 tasks"."""
    found, every = ({task_of(each) for each in group} for group in (several, of))
    return f"on {len(found)} of {len(found | every)} tasks"


def too_few(found: list[Attempt]) -> str:
    """Return the message that there are too few attempts to judge, or no attempts with a return."""
    return f"too few attempts have a return: {len(found)}" if found else UNSCORED


FEW = 3
"""Minimum number of attempts for a meaningful share."""
UNSCORED = "no attempt has a return"
"""The reason for a skip if every attempt failed."""
CLOSE = 1e-9


def _says(each: Attempt, what: str) -> bool:
    return any(f"{MARK} {what}" in step.text for step in each.trajectory.steps)
