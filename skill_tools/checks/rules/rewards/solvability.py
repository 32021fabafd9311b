"""REW008, 009, 019, 021: whether the oracle solves tasks and seeds beyond those that every policy played."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from skill_tools.checks.check import check, warn
from skill_tools.checks.needs import PROBED, REFERENCE, REWARD_RANGE, TASKS
from skill_tools.checks.reading.episodes import of_the_domain
from skill_tools.checks.reading.probed import CLOSE
from skill_tools.evidence.evidence import Evidence


@check(
    "REW008",
    "unsolved-elsewhere",
    fix="mend the task, the oracle or the rules for it, and play that split",
    needs=[PROBED, REWARD_RANGE],
    after=[
        "DET001",
        "ISO001",
        "ISO010",
        "EPI001",
        "EPI010",
        "REW001",
        "REW002",
        "REW003",
        "REW019",
    ],
    stage="consequence",
)
def unsolved_elsewhere(evidence: Evidence) -> Iterator[str]:
    """The oracle earns the top on tasks of every split and level, not only on the first ones.

    A task that cannot be solved deep in a split, or in the test split, is met first in training.
    """
    high = evidence.declaration.reward_range[1]
    for each in evidence.probed.solved:
        place = f"{each['split']}/{each['index']}"
        if each["end"] == "failed":
            yield f"the oracle on {place}: {(each['failure'] or {}).get('message', 'failed')}"
        elif each["return"] < high - CLOSE:
            yield f"the oracle on {place}: return {each['return']:g} of {high:g} ({each['end']})"


@check(
    "REW009",
    "unsolved-with-other-seeds",
    fix="build problems that can be solved from every seed, or say `seed: {used: false}`",
    needs=[PROBED, REWARD_RANGE],
    after=[
        "DET001",
        "ISO001",
        "ISO010",
        "EPI001",
        "REW001",
        "REW002",
        "REW003",
        "REW019",
        "DET002",
    ],
    stage="consequence",
)
def unsolved_with_other_seeds(evidence: Evidence) -> Iterator[str]:
    """The oracle earns the top under other seeds than the tasks' own.

    Trainers pass seeds of their own; a problem that cannot be solved is noise in the gradient.
    """
    high, found = evidence.declaration.reward_range[1], evidence.probed.reseeded
    bad = [each for each in found if each["end"] == "failed" or each["return"] < high - CLOSE]
    for each in bad:
        place = f"{each['split']}/{each['index']} with seed {each['seed']}"
        why = (each["failure"] or {}).get("message") or f"return {each['return']:g} of {high:g}"
        message = f"the oracle on {place}: {why} ({len(bad)} of {len(found)} in all)"
        yield message if each["end"] == "failed" else warn(message)


@check(
    "REW019",
    "oracle-gives-up",
    fix="run the oracle on that task alone; mend the rule that its call was refused by, the task, or the search",
    needs=[TASKS, REFERENCE],
    after=["DET001", "ISO001", "EPI001", "REW001", "REW016"],
    stage="consequence",
)
def oracle_gives_up(evidence: Evidence) -> Iterator[str]:
    """The oracle has a solution of every task.

    Where it raises, nobody knows whether the task can be solved at all. A refusal by the domain is
    told as such: then rules and oracle disagree on what is legal.
    """
    for label, why in evidence.unsolved.items():
        if why.alone or of_the_domain(evidence, why):
            continue
        refused = (
            "the domain refused the oracle's call" if why.kind == "InvalidAction" else "the oracle"
        )
        count = len(evidence.unsolved)
        yield f"{label}: {refused}: {why.message} ({count} of {len(evidence.tasks.tasks)} tasks)"


@check(
    "REW021",
    "level-won-by-chance",
    fix="make the tasks of that level longer or larger, so that chance does not win them",
    needs=[PROBED, REWARD_RANGE],
    after=["DET001", "ISO001", "EPI001", "DET002", "REW001", "REW015"],
    level="warn",
)
def level_won_by_chance(evidence: Evidence) -> Iterator[str]:
    """Random legal play does not win every task of a level.

    There is nothing to learn on it, and in the mean over all levels it does not show.
    """
    fields = {(o["split"], o["index"]): o["fields"] for o in evidence.probed.opened}
    played = [w for w in evidence.probed.wandered if w["return"] is not None]
    won = [w for w in played if w["return"] >= evidence.declaration.reward_range[1] - CLOSE]
    if len(won) >= SELDOM * len(played):
        return  # all of it is easy: that is told elsewhere
    for field in sorted(evidence.probed.read - {"id", "seed"}):
        levels: dict[Any, list[dict[str, Any]]] = defaultdict(list)
        for each in played:
            levels[fields.get((each["split"], each["index"]), {}).get(field)].append(each)
        if not 2 <= len(levels) <= LEVELS:
            continue
        for several in levels.values():
            if len(several) >= EPISODES and all(each in won for each in several):
                yield (
                    f"random legal play won all {len(several)} episodes on tasks with the {field!r} of "
                    f"{several[0]['split']}/{several[0]['index']}, and {len(won)} of {len(played)} on all"
                )


LEVELS, EPISODES, SELDOM = 8, 9, 0.8
"""Values of a field that are levels; episodes of one that are no accident; the share of wins of all from
which it is no matter of levels."""


CHECKS = (
    unsolved_elsewhere,
    unsolved_with_other_seeds,
    oracle_gives_up,
    level_won_by_chance,
)
