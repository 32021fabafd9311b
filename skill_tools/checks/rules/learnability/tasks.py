"""LRN001 to 005: a study's results on single tasks and on the order of levels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import fmean

from skill_tools.checks.check import Hit, Place, Status, check
from skill_tools.checks.needs import STUDIED
from skill_tools.checks.reading.curves import CLOSE, interval
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.studied import Studied

HARDER = 0.1
"""Share of the tasks' maximum by which a level must be easier than a level with an easier name."""
AS_LONG = 0.5
"""Calls by which that level's solutions may be longer; a larger difference justifies the harder name."""
MANY = 0.25
"""Share of tasks that everyone solves from which they are worth replacing."""
MAX_NAMED = 5
"""Maximum number of tasks in a message."""


@check(
    "LRN001",
    "failed-episodes",
    fix="fix the domain: a call that the rules do not allow raises InvalidAction",
    needs=[STUDIED],
    stage="evidence",
)
def failed_episodes(evidence: Evidence) -> Iterator[Hit]:
    """Every episode of a study has a return, whatever a player calls.

    A policy in training makes the same calls. An episode that breaks has no score, and its whole group of samples
    is lost.
    """
    studied = STUDIED.of(evidence).studied
    if failed := [each for each in studied.climbed if each.total is None]:
        yield _of_tasks(
            studied,
            f"the environment broke in {len(failed)} of {len(studied.climbed)} episodes",
            [each.index for each in failed],
            f"; the first error: {failed[0].failure}",
        )


@check(
    "LRN002",
    "tasks-nobody-solves",
    fix="make these tasks solvable, remove them (their groups offer nothing to learn from), or fix the oracle",
    needs=[STUDIED],
)
def tasks_nobody_solves(evidence: Evidence) -> Iterator[Hit]:
    """At least one player in a study, usually the oracle, reaches each task's maximum.

    If no player solves a task, all samples of the task may have equal returns, so their group teaches nothing. If luck
    decides, every player loses some deals, so the finding is a note.
    """
    studied = STUDIED.of(evidence).studied
    solved = _solved(studied)
    if nobody := [task for task in studied.tasks if task.index not in solved]:
        errors = [task.error for task in nobody if task.error]
        yield _of_tasks(
            studied,
            f"on {len(nobody)} of {len(studied.tasks)} tasks no player earned the maximum, "
            "not even the oracle",
            [task.index for task in nobody],
            f"; the oracle on one of them: {errors[0]}" if errors else "",
            level="note" if studied.luck else "fail",
            fix="investigate only if there are many such tasks" if studied.luck else "",
        )


@check(
    "LRN003",
    "oracle-misses",
    fix="fix the oracle: the returns of all other players are compared with the oracle's return",
    needs=[STUDIED],
    level="warn",
)
def oracle_misses(evidence: Evidence) -> Iterator[Hit]:
    """In a study, the oracle solves every task that a player with random calls solves.

    A study states returns as shares of the oracle's return. If another player is better, these shares are too high.
    """
    studied = STUDIED.of(evidence).studied
    missed = [
        task for task in studied.tasks if task.index in _solved(studied) - _solved(studied, 0)
    ]
    if missed and not studied.luck:
        errors = [task.error for task in missed if task.error]
        yield _of_tasks(
            studied,
            f"on {len(missed)} of {len(studied.tasks)} tasks the oracle does not earn the maximum, "
            "but players who make random calls do",
            [task.index for task in missed],
            f"; it raised {errors[0]}" if errors else "",
        )


@check(
    "LRN004",
    "tasks-everybody-solves",
    fix="make these tasks harder, or use fewer of them: their groups have no variance",
    needs=[STUDIED],
    level="warn",
)
def tasks_everybody_solves(evidence: Evidence) -> Iterator[Hit]:
    """No task gives its maximum return in every episode of a study, including the episodes of random play.

    On such a task, all samples have equal returns whatever a policy does. A few such tasks give only a note.
    """
    studied = STUDIED.of(evidence).studied
    tops = {task.index: task.top for task in studied.tasks}
    played = [each for each in studied.climbed if each.epsilon is not None]
    lost = {e.index for e in played if e.total is None or e.total < tops[e.index] - CLOSE}
    if everybody := [index for index in tops if index not in lost]:
        yield _of_tasks(
            studied,
            f"{len(everybody)} of {len(tops)} tasks were won in full in every episode, even "
            "with random calls",
            everybody,
            level="warn" if len(everybody) >= MANY * len(tops) else "note",
        )


@check(
    "LRN005",
    "unordered-levels",
    fix="reverse the table of levels: a curriculum would begin with the hardest level. Keep the order only if the "
    "difficulty lies in finding the calls, which a study cannot measure",
    needs=[STUDIED],
    level="warn",
)
def unordered_levels(evidence: Evidence) -> Iterator[Hit]:
    """A level that is named as harder is not easier for the players of a study.

    A curriculum follows the names of levels.
    """
    seen = STUDIED.of(evidence)
    levels = seen.curves[1:] if seen.studied.ordered else []
    ease = {curve.level: _ease(seen.studied, curve.level) for curve in levels}
    steps = {curve.level: curve.oracle.mean_steps for curve in levels}
    wrong = []
    for easier, harder in combinations(ease, 2):
        (one, half), (other, other_half) = ease[easier], ease[harder]
        clearly = other - one > max(half + other_half, HARDER * seen.unit)
        if clearly and steps[harder] <= steps[easier] + AS_LONG:
            wrong.append((other - one, easier, harder))
    if wrong:
        _, easier, harder = max(wrong)
        yield Hit(
            f"{harder} is easier than {easier}: players who make mistakes earn "
            f"{ease[harder][0]:.3f} instead of {ease[easier][0]:.3f}, and solutions take "
            f"{steps[harder]:.1f} calls instead of {steps[easier]:.1f}"
        )


def _ease(studied: Studied, level: str) -> tuple[float, float]:
    """Return a level's mean return over all players but the oracle, and half the width of the 95% interval."""
    by_task: dict[int, list[float]] = {t.index: [] for t in studied.tasks if t.level == level}
    for each in studied.climbed:
        if each.index in by_task and each.epsilon and each.total is not None:
            by_task[each.index].append(each.total)
    return interval([fmean(totals) for totals in by_task.values() if totals] or [0.0])


def _solved(studied: Studied, epsilon: float | None = None) -> set[int]:
    """Return the tasks whose maximum was reached by a player with this ``epsilon``. By default, any player counts."""
    tops = {task.index: task.top for task in studied.tasks}
    return {
        each.index
        for each in studied.climbed
        if epsilon in (None, each.epsilon)
        and each.total is not None
        and each.total >= tops[each.index] - CLOSE
    }


def _of_tasks(
    studied: Studied,
    said: str,
    indices: Sequence[int],
    why: str = "",
    level: Status | None = None,
    fix: str = "",
) -> Hit:
    """Return a hit about some tasks. The message names the first few tasks, and ``details`` lists the other tasks."""
    names = [f"{studied.split}/{index}" for index in sorted(set(indices))]
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    place = Place(task=names[0]) if len(names) == 1 else Place()
    message = f"{said}: {', '.join(names[:MAX_NAMED])}{more}{why}"
    return Hit(message, place=place, level=level, fix=fix, details=tuple(names[MAX_NAMED:]))


CHECKS = (
    failed_episodes,
    tasks_nobody_solves,
    oracle_misses,
    tasks_everybody_solves,
    unordered_levels,
)
