"""REW008, 009, 019, 021: whether the oracle solves tasks and seeds beyond those that all policies play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

from skill_tools.checks.check import Check, Hit, Place, check, skip
from skill_tools.checks.needs import NO_LUCK, PROBED, REFERENCE, REWARD_RANGE, TASKS, probe
from skill_tools.checks.reading.episodes import of_the_domain
from skill_tools.checks.reading.probed import CLOSE, low_of
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Probed
from skill_tools.evidence.surveyed import RandomEpisode, Solved
from skill_tools.evidence.trajectory import Trajectory, return_of


@dataclass(frozen=True)
class Elsewhere:
    """Further tasks or seeds on which the oracle must get the maximum.

    Attributes:
        read: Returns the oracle's episodes on these tasks or seeds.
        words: The message. Its placeholders are ``task``, ``seed``, ``why``, ``many`` (the number of bad
            episodes) and ``of`` (the number of all episodes).
        short: The text for ``why`` if an episode missed the maximum without failing.
        nothing: The reason to give if there are no such episodes.
        mild: Whether an episode that did not fail only gives a warning.
    """

    read: Callable[[Probed], list[Solved]]
    words: str
    short: str
    nothing: str
    mild: bool = False


def oracle_short(row: Elsewhere, evidence: Evidence) -> Iterator[Hit]:
    """Yield a hit for each episode of the oracle in ``row`` that failed or missed the maximum."""
    found = row.read(PROBED.of(evidence))
    if not found:
        yield skip(row.nothing)
    bad = [each for each in found if each.end == "failed" or _short(evidence, each)]
    for each in bad:
        failed = each.end == "failed"
        why = each.failure.message if each.failure else "failed"
        if not failed:
            why = row.short.format(short=_short(evidence, each), end=each.end)
        message = row.words.format(
            task=each.task, seed=each.seed, why=why, many=len(bad), of=len(found)
        )
        yield Hit(message, *_where(each), "warn" if row.mild and not failed else "fail")


def _short(evidence: Evidence, each: Solved) -> str:
    """Return by how much an episode missed its task's maximum, or "".

    If luck decides, a missed maximum is not a defect.
    """
    high = REWARD_RANGE.of(evidence)[1] if each.best is None else each.best
    if evidence.declaration.best == "luck" or return_of(each) >= high - CLOSE:
        return ""
    return f"return {each.total:g} of {high:g}"


def _where(found: Solved | RandomEpisode) -> tuple[Trajectory | None, Place]:
    return found.shown, Place(task=found.task)


@check(
    "REW019",
    "oracle-gives-up",
    fix="run the oracle on that task alone; fix the task, the oracle's search, or the rule that refused the oracle's "
    "call",
    needs=[TASKS, REFERENCE],
    after=["REW001", "REW016"],
    stage="consequence",
)
def oracle_gives_up(evidence: Evidence) -> Iterator[Hit]:
    """The oracle has a solution for every task.

    If the oracle raises an exception, it is unknown whether the task can be solved at all. The report states
    whether the domain refused a call. If so, the rules and the oracle disagree about which calls are legal.
    """
    for label, why in evidence.unsolved.items():
        if why.alone or of_the_domain(evidence, why):
            continue
        refused = (
            "the domain refused the oracle's call" if why.kind == "InvalidAction" else "the oracle"
        )
        count = len(evidence.unsolved)
        message = (
            f"{label}: {refused}: {why.message} ({count} of {len(TASKS.of(evidence).tasks)} tasks)"
        )
        file, _, line = why.where.rpartition(":")
        yield Hit(message, None, Place(task=label, file=file, line=int(line) if file else 0))


@check(
    "REW021",
    "level-won-by-chance",
    fix="make the tasks of that level longer or larger, so that random play does not win them",
    needs=[probe("random_play"), probe("survey"), REWARD_RANGE, NO_LUCK],
    after=["DET002", "REW001", "REW015"],
    level="warn",
)
def level_won_by_chance(evidence: Evidence) -> Iterator[Hit]:
    """Random legal play does not win every task of a level.

    There is nothing to learn on such a level, and the mean over all levels hides this defect.
    """
    probed = PROBED.of(evidence)
    fields = {each.task: each.fields for each in probed.opened}
    nothing, top = low_of(evidence) + CLOSE, REWARD_RANGE.of(evidence)[1]
    # If doing nothing is best, as when no deal is worthwhile, there is nothing to win.
    played = [
        each
        for each in probed.wandered
        if each.total is not None and (each.best is None or each.best > nothing)
    ]
    won = [
        each
        for each in played
        if return_of(each) >= (top if each.best is None else each.best) - CLOSE
    ]
    if played and len(won) >= SELDOM * len(played):
        return  # all of it is easy, which another check reports
    there = False
    for field in sorted(probed.read - {"id", "seed"}):
        levels: dict[str | None, list[RandomEpisode]] = defaultdict(list)
        for each in played:
            levels[fields.get(each.task, {}).get(field)].append(each)
        if not 2 <= len(levels) <= LEVELS:
            continue
        for several in levels.values():
            there |= len(several) >= EPISODES
            if len(several) >= EPISODES and all(each in won for each in several):
                message = (
                    f"random legal play won all {len(several)} episodes on tasks with the same "
                    f"{field!r} as {several[0].task}, and {len(won)} of {len(played)} on all tasks"
                )
                like = next((each for each in several if each.shown), several[0])
                yield Hit(message, *_where(like))
    if not there:
        yield skip(
            "no field that the domain reads divides the tasks into levels with enough episodes"
        )


LEVELS = 8
"""Maximum distinct values of a field for levels; a field with more is a quantity or a unique text."""
EPISODES = 9
"""Minimum episodes of a level that are all won: if half are won on average, chance gives this once in 512."""
SELDOM = 0.8
"""Share of won episodes from which levels do not matter, because everything is easy."""


CHECKS = (
    Check(
        "REW008",
        "unsolved-elsewhere",
        partial(
            oracle_short,
            Elsewhere(
                attrgetter("solved"),
                "the oracle on {task}: {why}",
                short="{short} ({end})",
                nothing="no time was left to solve further tasks",
            ),
        ),
        fix="fix the task, the oracle or its rules, then play that split; if the maximum differs "
        "by task, declare it with reward.best",
        needs=(probe("survey"), REWARD_RANGE),
        after=("ISO010", "EPI010", "REW001", "REW002", "REW003", "REW019", "REW027"),
        stage="consequence",
        says="""The oracle earns the maximum on tasks of every split and level, not only on the first tasks.

        Otherwise an unsolvable task late in a split, or in the test split, goes unnoticed until training or evaluation.
        """,
    ),
    Check(
        "REW009",
        "unsolved-with-other-seeds",
        partial(
            oracle_short,
            Elsewhere(
                attrgetter("reseeded"),
                "the oracle on {task} with seed {seed}: {why} ({many} of {of} in all)",
                short="{short}",
                nothing="no time was left to solve a task under another seed",
                mild=True,
            ),
        ),
        fix="generate problems that are solvable with every seed, or declare `seed: {used: false}`",
        needs=(probe("seeds"), REWARD_RANGE),
        after=("ISO010", "REW001", "REW002", "REW003", "REW019", "REW027", "DET002"),
        stage="consequence",
        says="""The oracle earns the maximum with seeds other than the tasks' own seeds.

        Trainers pass seeds of their own, and an unsolvable problem adds noise to the gradient. If luck decides, the
        oracle does not have to win, but it has to play without an error.
        """,
    ),
    oracle_gives_up,
    level_won_by_chance,
)
