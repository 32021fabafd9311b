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


def bests_of(evidence: Evidence) -> dict[str, float]:
    """The most that each task pays with its own seed, as split/index, where the author says it of each."""
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
    """The most that the task of an episode pays: as said of it, otherwise the top of the range; None where unknown."""
    declared = evidence.declaration.reward_range
    return bests_of(evidence).get(task_of(played), declared and declared[1])


def low_of(evidence: Evidence) -> float:
    """What doing nothing earns on average."""
    idle = (evidence.reference.episodes or {}).get("noop", {}).values()
    totals = [each.total for each in idle if each.total is not None]
    return fmean(totals) if totals else (evidence.declaration.reward_range or (0.0, 1.0))[0]


def share(evidence: Evidence, several: Iterable[Attempt]) -> float:
    """The mean return of what was tried: 0.0 is doing nothing, 1.0 the most that the tasks pay."""
    low, bests, found = low_of(evidence), bests_of(evidence), list(several)
    high = (evidence.declaration.reward_range or (0.0, 1.0))[1]
    highs = [bests.get(task_of(each.trajectory), high) for each in found]
    most = fmean(highs) if found else low
    return (fmean(map(total, found)) - low) / (most - low) if most > low else 0.0


def tops(evidence: Evidence, several: Iterable[Attempt]) -> list[Attempt]:
    """Those that reached the most that their task pays, where doing nothing does not."""
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
    """The task of an episode as split/index where that is known, otherwise its label."""
    known = played.split is not None and played.index is not None
    return f"{played.split}/{played.index}" if known else played.label


def on_tasks(several: Iterable[Trajectory], of: Iterable[Trajectory]) -> str:
    """On how many of the tasks that were played something was, in words."""
    found, every = ({task_of(each) for each in group} for group in (several, of))
    return f"on {len(found)} of {len(found | every)} tasks"


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
