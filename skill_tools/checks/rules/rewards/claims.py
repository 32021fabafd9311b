"""REW026 and 027: whether a task's declared best is correct."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import Hit, Place, check
from skill_tools.checks.needs import BY_TASK, REWARD_RANGE, TASKS
from skill_tools.checks.reading.probed import CLOSE, bests_of, describe, seen_in, task_of
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.surveyed import RandomEpisode, Solved


@check(
    "REW026",
    "best-is-beaten",
    fix="make best(task, seed) compute the maximum that the rules allow, not the oracle's return; "
    "then make the oracle reach it",
    needs=[BY_TASK, TASKS],
    after=["DET002", "REW001", "REW027"],
)
def best_is_beaten(evidence: Evidence) -> Iterator[Hit]:
    """No player has a higher return on a task than the task's declared best.

    If a declared best is too low, poor play counts as a solution, and any progress beyond the declared best goes
    unnoticed.
    """
    bests = bests_of(evidence)
    beaten: set[str] = set()
    tried = evidence.probed.attempts.values() if evidence.probed else ()
    played = [(each, f"{each.model} earned {each.total or 0:g}") for each in evidence.every]
    played += [(each.trajectory, describe(each)) for several in tried for each in several]
    for shown, words in played:
        task = task_of(shown)
        best = bests.get(task)
        if best is None or shown.total is None or shown.total <= best + CLOSE or task in beaten:
            continue
        beaten.add(task)
        yield seen_in(shown, f"{task}: {words}, but best() returns {best:g}")
    probed = evidence.probed
    elsewhere: list[Solved | RandomEpisode] = (
        [*probed.solved, *probed.reseeded, *probed.wandered] if probed else []
    )
    for each in elsewhere:
        reseeded = isinstance(each, Solved) and each.seed is not None
        where = f"{each.task} with another seed" if reseeded else each.task
        more = each.total is not None and each.best is not None and each.total > each.best + CLOSE
        if more and where not in beaten:
            beaten.add(where)
            message = f"{where}: an episode earned {each.total:g}, but best() returns {each.best:g}"
            yield Hit(message, each.shown, Place(task=each.task))


@check(
    "REW027",
    "best-not-told",
    fix="write best(task, seed) next to the oracle: a number within reward.range for every task and seed",
    needs=[BY_TASK, TASKS, REWARD_RANGE],
    trusts="runs",
)
def best_not_told(evidence: Evidence) -> Iterator[Hit]:
    """If the best return differs by task, the oracle's best() returns each task's best return, within reward.range.

    Otherwise no return on the task can be judged.
    """
    tasks = TASKS.of(evidence)
    for label, why in tasks.untold.items():
        yield Hit(f"{label}: {why}", place=Place(task=label))
    low, high = REWARD_RANGE.of(evidence)
    for label, best in tasks.bests.items():
        if not low - CLOSE <= best <= high + CLOSE:
            yield Hit(f"{label}: {best:g} is not in [{low:g}, {high:g}]", place=Place(task=label))
    told = list(tasks.bests.values())
    if len(told) > 1 and len(set(told)) == 1:
        message = (
            f"best() returns {told[0]:g} on each of {len(told)} tasks: is reward.best needed here?"
        )
        yield Hit(message, level="note")


CHECKS = (best_is_beaten, best_not_told)
