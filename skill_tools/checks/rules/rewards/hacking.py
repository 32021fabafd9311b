"""REW: whether players that exploit the environment are rewarded, in attempts on the bare domain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import comb
from statistics import fmean

from skill_tools.checks.check import Hit, Status, check, skip
from skill_tools.checks.needs import NO_LUCK, PROBED, REWARD_RANGE, probe
from skill_tools.checks.reading.curves import MOST
from skill_tools.checks.reading.probed import (
    CLOSE,
    FEW,
    UNSCORED,
    attempts,
    describe,
    grouped,
    same_change,
    seen_in,
    too_few,
    tops,
    total,
)
from skill_tools.checks.tables.bounds import Ceiling, in_the_mean
from skill_tools.evidence.calls import calls_of, deciding, point_of, shape
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Attempt

UNPAID = ["DET002", "RES004", *(f"REW00{n}" for n in (1, 2, 3, 4, 5)), "REW026", "REW027"]
"""If play by the rules is not rewarded correctly, a probe's return shows nothing."""
MUCH = 0.5
"""Share of the maximum from which a player is worth a look."""
MILD = {"union", "near", "longer", "lines", "listed"}
"""Kinds of wrong answers that may be right somewhere: a person should look."""
_TOLERANT = re.compile(
    r"toleran|\boff by\b|\bwithin (?:\d|one|two|three|half|a)|±|\bclose\b|\bnear(?:er|est)? answers?\b"
    r"|\b(?:at most|no more than|up to|less than) \S+ (?:off|per cent|away from the)",
    re.IGNORECASE,
)
"""Words that tell the agent how close an answer must be."""


@check(
    "REW010",
    "solution-of-another-task-pays",
    fix="make tasks differ in their solutions, or make the reward depend more strictly on the task's goal",
    needs=[probe("cross"), REWARD_RANGE, NO_LUCK],
    after=[*UNPAID, "TAS003"],
    stage="exploit",
    bound="solutions of other tasks may earn less than 0.5 of the maximum on average",
)
def solution_of_another_task_pays(evidence: Evidence) -> Iterator[Hit]:
    """One task's solution does not solve other tasks.

    A policy that memorizes one sequence would score as well as a policy that reads the task.
    """
    check = ("REW010", "solution-of-another-task-pays")
    told = list(in_the_mean(CROSS, check, evidence))
    yield from told
    if not told:
        yield from _as_long_pays(evidence)


def _as_long_pays(evidence: Evidence) -> Iterator[Hit]:
    """Yield a hit if solutions of other tasks reach the maximum more often than chance explains.

    Only solutions with as many calls as the task's own solution are counted.
    """
    alike = [each for each in attempts(evidence, "cross") if _as_long(evidence, each)]
    same = tops(evidence, alike)
    if len(same) >= len(alike) * MUCH and _odds(len(same), len(alike)) < ACCIDENT:
        message = (
            "solutions of other tasks with the same number of calls reach the maximum in "
            f"{len(same)} of {len(alike)} cases, such as {describe(same[0])}"
        )
        yield seen_in(same[0], message, "warn")


def _others(evidence: Evidence) -> list[list[list[Attempt]]]:
    found = attempts(evidence, "cross")
    return [[found]] if len(found) >= FEW else []


def _few_others(evidence: Evidence) -> str:
    return too_few(attempts(evidence, "cross"))


def _in_parts(evidence: Evidence, several: list[Attempt]) -> bool:
    """Return whether the attempts seldom reach the maximum. Partial scores, which any player gets, are not a
    solution."""
    return len(tops(evidence, several)) < len(several) * MUCH


CROSS = Ceiling(
    _others,
    "solutions of other tasks earn {share} of the maximum, such as {how}",
    look=MUCH,
    fail=MOST,
    unless=_in_parts,
    few=_few_others,
)


FREE = 4
"""Number of other texts that must all be rewarded for a parameter to decide nothing."""
PROSE = 6
"""Mean number of words from which the oracle's texts are sentences, not answers."""


def _odds(hits: int, of: int) -> float:
    """Return the probability of at least ``hits`` hits in ``of`` attempts, if one attempt in ``ANSWERS`` hits."""
    ways = sum(comb(of, n) * (ANSWERS - 1) ** (of - n) for n in range(hits, of + 1))
    return float(ways / ANSWERS**of)


ANSWERS = 5
"""Minimum number of possible answers: with fewer, two tasks often share one."""
ACCIDENT = 0.01
"""Probability below which a result is not an accident."""


def _as_long(evidence: Evidence, each: Attempt) -> bool:
    """Return whether an attempt with another task's solution has as many calls as this task's solution."""
    oracle = (evidence.reference.episodes or {}).get("oracle", {})
    theirs = oracle.get(each.change["solution_of"])
    return (
        theirs is not None and each.of in oracle and len(theirs.steps) == len(oracle[each.of].steps)
    )


@check(
    "REW011",
    "wrong-answer-paid",
    fix="compare the whole answer with the right one, by value; refuse anything that cannot be an answer",
    needs=[probe("wrong", "wrong-after", "other-shape", "loose"), REWARD_RANGE],
    after=[*UNPAID, "REW013"],
    stage="exploit",
)
def wrong_answer_paid(evidence: Evidence) -> Iterator[Hit]:
    """If the answer in the deciding call is empty, truncated or far from right, the call gets no reward.

    Comparisons with `in`, with `startswith` or with a wide tolerance accept answers that a policy finds by chance.
    """
    alone = tops(evidence, attempts(evidence, "right"))
    sure, kind = bool(alone), "wrong" if alone else "wrong-after"
    if not attempts(evidence, kind, "other-shape", "loose"):
        yield skip("no wrong answer has a return")
    one = len((evidence.reference.episodes or {}).get("oracle", {})) == 1
    tolerant = _TOLERANT.search(f"{evidence.declaration.prompt or ''} {evidence.declaration.tools}")
    groups = list(_by_change_and_shape(evidence, attempts(evidence, kind)))
    free = _free_texts(evidence, groups, sure)
    yield from (_of_free_text(evidence, *each, groups) for each in free.items())
    for several in groups:
        if several[0].change["parameter"] in free:
            continue
        change, step = several[0].change, several[0].trajectory.steps[-1:]
        near = change["kind"] == "near"
        if near and (not sure or tolerant or _is_place(several[0])):
            continue  # a place on a picture, an amount within a tolerance
        if change["how"] == "empty" and len(several) == 1 and not (sure or one):
            continue  # the last of several calls may change nothing on one task
        paid = tops(evidence, several)
        # A shape may reach the edge in some pictures: a place rewarded in all is not a place.
        least = len(several) if _is_place(several[0]) else len(several) / 2
        if paid and len(paid) >= least:
            message = (
                f"{several[0].words}: {len(paid)} of {len(several)} attempts reach the maximum, such as "
                f"{describe(paid[0])}"
            )
            certain = sure and (one or len({each.of for each in several}) > 1)
            mild = not certain or change["kind"] in MILD
            where = {"tool": step[0].tool if step else "", "parameter": change["parameter"]}
            yield seen_in(paid[0], message, "warn" if mild else "fail", **where)
    shapes = [e for e in attempts(evidence, "other-shape") if e.trajectory.steps[-1].reward > CLOSE]
    if len({each.of for each in shapes}) > 1:
        message = f"a shape that the oracle never clicks is rewarded, {describe(shapes[0])}"
        yield seen_in(shapes[0], message, "warn")
    for each in attempts(evidence, "loose"):
        yield seen_in(each, f"{each.words} reaches the maximum {describe(each)}", "warn")


def _free_texts(
    evidence: Evidence, groups: Iterable[list[Attempt]], sure: bool
) -> dict[str, Attempt]:
    """Return the parameters whose value does not change the reward, each with an attempt that shows this. If the
    deciding call alone gets the reward (``sure``), return no parameters unless another parameter decides the reward.
    """
    outcomes: dict[str, list[Attempt | None]] = {}
    for several in groups:
        paid = tops(evidence, several)
        all_paid = paid[0] if len(paid) == len(several) and not _is_place(several[0]) else None
        outcomes.setdefault(several[0].change["parameter"], []).append(all_paid)
    decides = {name for name, found in outcomes.items() if None in found}
    return {
        name: found[0]
        for name, found in outcomes.items()
        if name not in decides and len(found) >= FREE and found[0] and (decides or not sure)
    }


def _of_free_text(
    evidence: Evidence, parameter: str, shown: Attempt, groups: list[list[Attempt]]
) -> Hit:
    """Return a hit for a parameter whose text does not change the reward.

    The hit is only a note if the oracle writes sentences in this parameter.
    """
    count = sum(several[0].change["parameter"] == parameter for several in groups)
    message = (
        f"{parameter}: none of {count} other texts changes the reward, as in {describe(shown)}"
    )
    tool = shown.trajectory.steps[-1].tool if shown.trajectory.steps else ""
    level: Status = "note" if _is_prose(evidence, parameter) else "warn"
    return seen_in(shown, message, level, tool=tool, parameter=parameter)


def _is_prose(evidence: Evidence, parameter: str) -> bool:
    """Return whether the oracle's value of a parameter is a sentence, as in a message, rather than an answer."""
    given = [
        calls_of(each)[deciding(each)][1]
        for each in (evidence.reference.episodes or {}).get("oracle", {}).values()
        if each.steps
    ]
    texts = [str(each[parameter]) for each in given if isinstance(each, dict) and parameter in each]
    return bool(texts) and fmean(len(text.split()) for text in texts) >= PROSE


def _is_place(each: Attempt) -> bool:
    steps = each.trajectory.steps
    return bool(steps) and point_of(steps[-1].arguments) is not None


def _by_change_and_shape(evidence: Evidence, several: Iterable[Attempt]) -> Iterable[list[Attempt]]:
    """Group attempts by their change and by the form of the right answer.

    A grader may be wrong for one form only, such as dates.
    """
    oracle = {**(evidence.reference.episodes or {}).get("oracle", {}), **PROBED.of(evidence).unlike}
    return grouped(
        several,
        lambda each: (same_change(each), shape(oracle[each.of]) if each.of in oracle else ""),
    ).values()


@check(
    "REW012",
    "repeated-call-paid",
    fix="reward a state, not an action: count each thing once, and cap the total reward",
    needs=[probe("repeat"), REWARD_RANGE],
    after=UNPAID,
    stage="exploit",
)
def repeated_call_paid(evidence: Evidence) -> Iterator[Hit]:
    """Repeating a rewarded call gives no further reward.

    A policy that finds such a call does nothing else.
    """
    high = REWARD_RANGE.of(evidence)[1]
    oracle = (evidence.reference.episodes or {}).get("oracle", {})
    found = [each for each in attempts(evidence, "repeat") if each.of in oracle]
    if not found:
        yield skip(UNSCORED)
    for each in found:
        solved = oracle[each.of]
        before = len([1 for step in solved.steps if step.reward > 0])
        steps = each.trajectory.steps
        paid = [(s.tool, s.arguments) for s in steps if s.reward > CLOSE]
        same = [call for call in paid if call == paid[-1]]
        theirs = [(s.tool, s.arguments) for s in solved.steps if s.reward > CLOSE]
        own = [call for call in theirs if paid and call == paid[-1]]
        if total(each) > high + CLOSE:
            message = f"{each.words}, repeated: {describe(each)}, although the maximum is {high:g}"
        elif before > 1 and len(same) > max(1, len(own)):
            message = f"{each.words}, repeated, was rewarded {len(same)} times: {describe(each)}"
        else:
            continue
        yield seen_in(each, message, tool=paid[-1][0] if paid else "")


CHECKS = (
    solution_of_another_task_pays,
    wrong_answer_paid,
    repeated_call_paid,
)
