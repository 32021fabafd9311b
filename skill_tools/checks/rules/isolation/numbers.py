"""ISO014: numbers that order the tasks by a hidden value, or that reveal the hidden value."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product

from skill_tools.checks.check import Check
from skill_tools.checks.needs import BY_TASK, REFERENCE, REWARD_RANGE, probe
from skill_tools.checks.reading.episodes import named
from skill_tools.checks.reading.probed import attempts, bests_of, task_of, tops
from skill_tools.checks.rules.isolation.distances import DISTANCE
from skill_tools.checks.rules.isolation.number import (
    LEAST,
    MOSTLY,
    Beside,
    NumberLeak,
    Numbers,
    numbers_reveal,
)
from skill_tools.checks.rules.isolation.secrets import oracle
from skill_tools.evidence.calls import decided, whole_numbers
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory

LEAST_VALUES = 3
"""Minimum number of distinct hidden values for a relation."""
_NUMBER = re.compile(r"\d+")


def _beside_words(evidence: Evidence) -> Numbers:
    """Return the numbers in each task's opening, paired with the answer, if the answer is a single text."""
    found: dict[str, dict[str, Beside]] = defaultdict(dict)
    for each in oracle(evidence).values():
        answer = _answer(each)
        for before, number in _numbers(each.opening, _NUMBER) if answer else ():
            found[before].setdefault(each.label, Beside(each, (number,), answer))
    return {before: list(by_label.values()) for before, by_label in found.items()}


def _answer(trajectory: Trajectory) -> str:
    """Return the deciding call's argument in lower case, or "" if the call does not have exactly one text argument."""
    given = decided(trajectory)
    values = list(given.values()) if isinstance(given, dict) else []
    text = values[0] if len(values) == 1 and isinstance(values[0], str) else ""
    return text.casefold() if text[:1].isalpha() else ""


def _numbers(text: str, kind: re.Pattern[str]) -> Iterator[tuple[str, float]]:
    """Yield the numbers of a text, each with the words before the number."""
    plain = " ".join(text.split())
    for found in kind.finditer(plain):
        yield _NUMBER.sub("#", plain[: found.start()])[-24:], float(found[0][:18])


def _all_differ(pairs: Sequence[Beside]) -> bool:
    different = len({pair.numbers for pair in pairs}) == len(pairs) >= LEAST
    return different and len({pair.secret for pair in pairs}) >= LEAST


def _rises(where: str, pairs: Sequence[Beside]) -> tuple[str, Beside] | None:
    ordered = sorted(pairs, key=lambda pair: (pair.numbers, pair.secret))
    answers = [pair.secret for pair in ordered]
    if answers not in (sorted(answers), sorted(answers, reverse=True)):
        return None
    low, high = ordered[0], ordered[-1]
    message = (
        f"the number after {where!r} rises with the hidden value's place in the alphabet over {len(pairs)} tasks: "
        f"{low.numbers[0]:.15g} for {low.secret!r}, {high.numbers[0]:.15g} for {high.secret!r}"
    )
    return message, low


SOME = 6
"""Number of tasks that rules out a coincidental formula, among tasks decided by a single call."""


def _beside_answers(evidence: Evidence) -> Numbers:
    """Return the numbers in each opening, paired with the numbers in the deciding call.

    Only tasks give pairs in which the oracle makes several calls but the deciding call alone is enough.
    """
    alone = {each.of for each in tops(evidence, attempts(evidence, "right"))}
    solved = oracle(evidence)
    several = [solved[label] for label in alone if label in solved and len(solved[label].steps) > 1]
    pairs = [Beside(each, _opening_numbers(each), whole_numbers(decided(each))) for each in several]
    return {"": pairs} if len({len(pair.numbers) for pair in pairs}) == 1 else {}


def _opening_numbers(trajectory: Trajectory) -> tuple[float, ...]:
    numbers = re.finditer(r"\d+", trajectory.question)
    return tuple(int(found[0][:9]) for found in numbers)[:12]


def _says_numbers(pairs: Sequence[Beside]) -> bool:
    return len(pairs) >= SOME and bool(pairs[0].secret)


def _follows(where: str, pairs: Sequence[Beside]) -> tuple[str, Beside] | None:
    numbers = [pair.numbers for pair in pairs]
    formulas = {
        name: _formula([pair.secret.get(name) for pair in pairs], numbers)
        for name in pairs[0].secret
    }
    if not all(formulas.values()) or not any(" " in text for text in formulas.values()):
        return None
    shown = ", ".join(f"{name} is {text}" for name, text in formulas.items())
    message = (
        f"{shown} of the opening's numbers {list(numbers[0])}, by the same rule in all {len(pairs)} tasks: "
        f"{named(pairs[0].played)}"
    )
    return message, pairs[0]


def _formula(values: list[object], numbers: list[tuple[float, ...]]) -> str:
    """Return a formula that computes each value from the numbers shown together with this value, or "".

    The formula must hold in all tasks. If there are too few different values, the result is also "".
    """
    if len(set(map(str, values))) < LEAST_VALUES:
        return ""
    places = range(len(numbers[0]))
    for at in places:
        if all(n[at] == value for n, value in zip(numbers, values, strict=True)):
            return f"number {at + 1}"
    for one, other in product(places, repeat=2):
        for sign, more in product((1, -1), (0, 1)):
            if all(
                n[one] + sign * n[other] + more == value
                for n, value in zip(numbers, values, strict=True)
            ):
                return (
                    f"number {one + 1} {'+' if sign > 0 else '-'} number {other + 1}{' + 1' * more}"
                )
    return ""


ROUNDED = 0.005
"""Maximum difference between a shown number and a task's maximum: numbers are often rounded."""
_DECIMAL = re.compile(r"\d+(?:\.\d+)?")


def _beside_bests(evidence: Evidence) -> Numbers:
    """Return the numbers that an episode shows before its end, paired with the task's maximum return."""
    bests = bests_of(evidence)
    shown: dict[str, dict[str, set[float]]] = defaultdict(dict)
    first: dict[tuple[str, str], Trajectory] = {}
    for each in evidence.every_bare:
        task = task_of(each)
        for text in (each.opening, *(step.text for step in each.steps if not step.done)):
            for before, number in _numbers(text, _DECIMAL) if task in bests else ():
                shown[before].setdefault(task, set()).add(number)
                first.setdefault((before, task), each)
    return {
        before: [
            Beside(first[before, task], tuple(numbers), bests[task])
            for task, numbers in tasks.items()
        ]
        for before, tasks in shown.items()
    }


def _bests_differ(pairs: Sequence[Beside]) -> bool:
    return len(pairs) >= SOME and len({pair.secret for pair in pairs}) >= LEAST_VALUES


def _is_best(where: str, pairs: Sequence[Beside]) -> tuple[str, Beside] | None:
    shown = sum(all(_equals(number, pair.secret) for number in pair.numbers) for pair in pairs)
    if shown < MOSTLY * len(pairs):
        return None
    message = (
        f"the number after {where!r} is the task's best return in {shown} of {len(pairs)} tasks, "
        f"such as {pairs[0].secret:g}: {named(pairs[0].played)}"
    )
    return message, pairs[0]


def _equals(number: float, best: float) -> bool:
    """Return whether a number equals a maximum return, plain or in percent, rounded to two places or more."""
    return abs(number - best) <= ROUNDED or abs(number / 100 - best) <= ROUNDED


ROWS = (
    NumberLeak(_beside_words, _all_differ, _rises, level="fail", once=False),
    NumberLeak(
        _beside_answers,
        _says_numbers,
        _follows,
        fix="draw shown and hidden values independently",
        needs=(probe("right"), REWARD_RANGE),
    ),
    NumberLeak(
        _beside_bests,
        _bests_differ,
        _is_best,
        fix="do not show a task's best return, or draw shown values independently of it",
        needs=(BY_TASK,),
    ),
    DISTANCE,
)


CHECKS = (
    Check(
        "ISO014",
        "number-reveals-answer",
        partial(numbers_reveal, ROWS),
        says="""No number that the agent sees reveals a hidden value through its relation to that value.

        The check *fails* if a number in the openings rises with the alphabetical order of the answers. Such a number
        may be the puzzle's position in a list of answers that is easy to get. The check *warns* in three cases: (1) in
        tasks that take several calls, the answer is a sum or a difference of numbers in the opening; (2) a number
        before the end equals the task's best return; (3) a number equals the distance from a click to the next target.
        """,
        fix="number tasks in an order unrelated to their answers, or show no number",
        needs=(REFERENCE,),
        after=("ISO005", "ISO006", "ISO013", "REW013", "REW027"),
        trusts="runs",
        formerly=("ISO015", "ISO017", "ISO018"),
    ),
)
