"""Findings on single tasks and on the order of levels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import fmean

from skill_tools.checks.rules.rewards.chance import interval
from skill_tools.evidence.studied import Studied
from skill_tools.learnability.curves import CLOSE
from skill_tools.learnability.facts import Facts
from skill_tools.learnability.model import StudyFinding

HARDER = 0.1
"""Share of what the tasks pay by which a level must be easier than one that should be easier still."""
AS_LONG = 0.5
"""Calls by which its solutions may be longer: of a level with longer ones it is no slip that it is called harder."""
MANY = 0.25
"""Share of the tasks that everybody solves from which they are worth replacing."""
TOLD = 5
"""Tasks that a message names."""


def failed_episodes(facts: Facts) -> Iterator[StudyFinding]:
    """Every episode has a return, whatever a player calls."""
    failed = [each for each in facts.studied.climbed if each.total is None]
    if failed:
        yield StudyFinding(
            name="failed-episodes",
            level="fail",
            message=f"the environment broke in {len(failed)} of {len(facts.studied.climbed)} episodes, as on "
            f"{facts.studied.split}/{failed[0].index}: {failed[0].failure}",
            lever="fix the domain: a call that the rules do not allow raises InvalidAction",
        )


def tasks_nobody_solves(facts: Facts) -> Iterator[StudyFinding]:
    """Each task pays its most to somebody, the oracle first of all."""
    studied, solved = facts.studied, _solvers(facts.studied)
    nobody = [task for task in studied.tasks if not solved[task.index]]
    if not nobody:
        return
    names = _names(studied.split, [task.index for task in nobody])
    errors = [task.error for task in nobody if task.error]
    why = f"; the oracle on one of them: {errors[0]}" if errors else ""
    yield StudyFinding(
        name="tasks-nobody-solves",
        level="note" if studied.luck else "fail",
        message=f"{len(nobody)} of {len(studied.tasks)} tasks gave their maximum to no player, not even to the "
        f"oracle: {names}{why}",
        lever="if luck decides, every player loses some deals: look only if these are many"
        if studied.luck
        else "make these tasks solvable or take them out: their groups have nothing to find; or fix the oracle",
    )


def oracle_misses(facts: Facts) -> Iterator[StudyFinding]:
    """What others solve the oracle solves as well: else the ladder's top is no top."""
    studied, solved = facts.studied, _solvers(facts.studied)
    best = {each.index: each.total for each in studied.climbed if each.epsilon == 0}
    missed = [
        task
        for task in studied.tasks
        if solved[task.index] and (best.get(task.index) or 0.0) < task.top - CLOSE
    ]
    if missed and not studied.luck:
        errors = [task.error for task in missed if task.error]
        why = f"; it raised {errors[0]}" if errors else ""
        yield StudyFinding(
            name="oracle-misses",
            level="warn",
            message=f"the oracle does not earn the maximum of {len(missed)} of {len(studied.tasks)} tasks, and players "
            f"who make random calls do: {_names(studied.split, [task.index for task in missed])}{why}",
            lever="fix the oracle: the columns are compared with its return",
        )


def tasks_everybody_solves(facts: Facts) -> Iterator[StudyFinding]:
    """No task pays its most to whoever plays."""
    studied = facts.studied
    tops = {task.index: task.top for task in studied.tasks}
    lost = {
        each.index
        for each in studied.climbed
        if each.epsilon is not None
        and (each.total is None or each.total < tops[each.index] - CLOSE)
    }
    everybody = [index for index in tops if index not in lost]
    if everybody:
        part = len(everybody) / len(tops)
        yield StudyFinding(
            name="tasks-everybody-solves",
            level="warn" if part >= MANY else "note",
            message=f"{len(everybody)} of {len(tops)} tasks gave their maximum in every episode, random ones "
            f"included: {_names(studied.split, everybody)}",
            lever="make these tasks harder, or deal fewer of them: their groups have no variance",
        )


def unordered_levels(facts: Facts) -> Iterator[StudyFinding]:
    """A level that says that it is harder is not easier."""
    if not facts.studied.ordered:
        return
    ease = {curve.level: _ease(facts.studied, curve.level) for curve in facts.curves[1:]}
    steps = {curve.level: curve.oracle.mean_steps for curve in facts.curves[1:]}
    wrong = []
    for easier, harder in combinations(ease, 2):
        (one, half), (other, other_half) = ease[easier], ease[harder]
        clearly = other - one > max(half + other_half, HARDER * facts.unit)
        if clearly and steps[harder] <= steps[easier] + AS_LONG:
            wrong.append((other - one, easier, harder))
    if wrong:
        _, easier, harder = max(wrong)
        yield StudyFinding(
            name="unordered-levels",
            level="warn",
            message=f"{harder} is easier than {easier}: players who make mistakes earn {ease[harder][0]:.3f} there "
            f"against {ease[easier][0]:.3f}, and solutions take {steps[harder]:.1f} calls against {steps[easier]:.1f}",
            lever="reverse the table of levels: a curriculum would begin with the hardest. Right only if "
            "the hard part is to think of the calls, which no player here does",
        )


def _ease(studied: Studied, level: str) -> tuple[float, float]:
    """What all players but the oracle earn on a level, with half the interval over its tasks."""
    by_task: dict[int, list[float]] = {t.index: [] for t in studied.tasks if t.level == level}
    for each in studied.climbed:
        if each.index in by_task and each.epsilon and each.total is not None:
            by_task[each.index].append(each.total)
    return interval([fmean(totals) for totals in by_task.values() if totals] or [0.0])


def _solvers(studied: Studied) -> dict[int, bool]:
    """Whether somebody earned the most of each task."""
    tops = {task.index: task.top for task in studied.tasks}
    found = dict.fromkeys(tops, False)
    for each in studied.climbed:
        if each.total is not None and each.total >= tops[each.index] - CLOSE:
            found[each.index] = True
    return found


def _names(split: str, indices: Sequence[int]) -> str:
    named = ", ".join(f"{split}/{index}" for index in sorted(indices)[:TOLD])
    return named + (f" and {len(indices) - TOLD} more" if len(indices) > TOLD else "")
