"""ISO014, 015, 017, 018: numbers that put tasks in the order of what is hidden, or say what it is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import product

from skill_tools.checks.check import Hit, Place, check, skip
from skill_tools.checks.needs import BY_TASK, PICTURES, REFERENCE, REWARD_RANGE, probe
from skill_tools.checks.reading.episodes import named
from skill_tools.checks.reading.probed import attempts, bests_of, task_of, tops
from skill_tools.evidence.calls import decided, point_of, whole_numbers
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory

LEAST = 8
"""Tasks whose order is no accident: one in twenty thousand."""
_NUMBER = re.compile(r"\d+")


@check(
    "ISO014",
    "number-reveals-order",
    fix="number tasks in an order that has nothing to do with their answers, or show no number",
    needs=[REFERENCE],
    after=["ISO005", "ISO006", "ISO013"],
    trusts="runs",
)
def number_reveals_order(evidence: Evidence) -> Iterator[Hit]:
    """No number of the openings rises with the answers' place in the alphabet.

    The number of a puzzle is then its place in the list of answers, and that list is easily had.
    """
    oracle = {each.label: each for each in (evidence.reference or {}).get("oracle", {}).values()}
    said = {label: answer for label, each in oracle.items() if (answer := _answer(each))}
    if len(set(said.values())) < LEAST:
        yield skip(f"the deciding calls say fewer than {LEAST} words or texts that differ")
        return
    compared = False
    for where, numbers in _numbers(
        [each for each in oracle.values() if each.label in said]
    ).items():
        pairs = sorted((number, said[label], label) for label, number in numbers.items())
        answers = [answer for _, answer, _ in pairs]
        distinct = len({number for number, *_ in pairs}) == len(pairs) >= LEAST
        compared = compared or distinct
        if distinct and answers in (sorted(answers), sorted(answers, reverse=True)):
            low, high = pairs[0], pairs[-1]
            message = (
                f"the number after {where!r} rises with the alphabet over {len(pairs)} tasks: "
                f"{low[0]} for {low[1]!r}, {high[0]} for {high[1]!r}"
            )
            yield Hit(message, oracle[low[2]], Place(task=low[2]))
    if not compared:
        yield skip("no number in the openings is another in each task")


def _answer(trajectory: Trajectory) -> str:
    """The one word or text that the deciding call says, in small letters, or ""."""
    given = decided(trajectory)
    values = list(given.values()) if isinstance(given, dict) else []
    text = values[0] if len(values) == 1 and isinstance(values[0], str) else ""
    return text.casefold() if text[:1].isalpha() else ""


def _numbers(several: list[Trajectory]) -> dict[str, dict[str, int]]:
    """The numbers of openings, by the words before them, with the tasks that have them."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for each in several:
        text = " ".join(" ".join(str(m.get("content", "")) for m in each.prompt).split())
        for number in _NUMBER.finditer(text):
            before = _NUMBER.sub("#", text[: number.start()])[-24:]
            found[before].setdefault(each.label, int(number[0][:18]))
    return found


@check(
    "ISO015",
    "distance-revealed",
    fix="tell whether a click hit, and nothing of where it should have been",
    needs=[REFERENCE, PICTURES],
    after=["ISO005", "ISO006"],
    trusts="runs",
    level="warn",
)
def distance_revealed(evidence: Evidence) -> Iterator[Hit]:
    """Where pictures are shown, no number is the distance to what is to be clicked next.

    Two or three clicks locate it by arithmetic, and the picture need not be looked at.
    """
    wanted = {
        label: [point for s in each.steps if s.reward > 0 and (point := point_of(s.arguments))]
        for label, each in (evidence.reference or {}).get("oracle", {}).items()
    }
    # A hit and a miss are answered in other words.
    found: dict[tuple[str, bool], list[bool]] = defaultdict(list)
    shown: dict[tuple[str, bool], tuple[Trajectory, str, str]] = {}
    for each in evidence.every_bare:
        paid = 0
        for number, step in enumerate(each.steps, 1):
            paid += step.reward > 0
            point, left = point_of(step.arguments), wanted.get(each.label, [])[paid : paid + 1]
            if not point or not left or step.error or step.done:
                continue
            said = [float(text) for text in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", step.text)]
            for metric, distance in _distances(point, left[0]).items():
                kind = (metric, step.reward > 0)
                near = any(abs(each - distance) <= max(NEAR, distance * SHARE) for each in said)
                if distance > FAR:
                    found[kind].append(near)
                if near:
                    says = f"{named(each)}: step {number} says {step.text[:160]!r}"
                    shown.setdefault(kind, (each, step.tool, says))
    for (metric, hit), several in found.items():
        if len(several) >= LEAST and sum(several) >= MOSTLY * len(several):
            each, tool, says = shown[metric, hit]
            message = (
                f"{says}, which has the distance from {metric} to what is clicked next "
                f"({sum(several)} of {len(several)} clicks)"
            )
            yield Hit(message, each, Place(task=each.label, tool=tool))
            return
    if not any(len(several) >= LEAST for several in found.values()):
        yield skip("too few clicks were made away from what is clicked next")


NEAR = 2.0
"""Pixels by which a number may differ from the distance that it tells: shapes are large, and numbers rounded."""
SHARE = 0.05
"""Share of the distance by which it may differ where that is more."""
FAR = 12.0
"""Pixels from which a distance is compared: a smaller number stands in many texts by chance."""
MOSTLY = 0.9
"""Share of the clicks that must be told their distance: a number near it stands in some texts by chance."""


def _distances(one: tuple[int, int], other: tuple[int, int]) -> dict[str, float]:
    across, down = abs(one[0] - other[0]), abs(one[1] - other[1])
    return {
        "the click as the crow flies": (across**2 + down**2) ** 0.5,
        "the click by columns and rows": float(across + down),
        "the click by the longer side": float(max(across, down)),
    }


@check(
    "ISO017",
    "answer-computed",
    fix="draw what is shown and what is hidden apart from each other",
    needs=[REFERENCE, probe("right"), REWARD_RANGE],
    after=["ISO005", "ISO006", "REW013"],
    trusts="runs",
    level="warn",
)
def answer_computed(evidence: Evidence) -> Iterator[Hit]:
    """Where it takes several calls to find out, no sum or difference of numbers in the opening is the answer.

    A policy finds the formula, such as the mirror image of where it begins, and looks no more.
    """
    alone = {each.of for each in tops(evidence, attempts(evidence, "right"))}
    oracle = (evidence.reference or {}).get("oracle", {})
    several = [oracle[label] for label in alone if label in oracle and len(oracle[label].steps) > 1]
    answers = [whole_numbers(decided(each)) for each in several]
    numbers = [_opening_numbers(each) for each in several]
    if len(several) < SOME or len({len(found) for found in numbers}) != 1:
        yield skip(
            f"fewer than {SOME} tasks that take several calls are decided by one alone, "
            "with openings of as many numbers"
        )
        return
    names = list(answers[0])
    formulas = {name: _formula([a.get(name) for a in answers], numbers) for name in names}
    if names and all(formulas.values()) and any(" " in text for text in formulas.values()):
        shown = ", ".join(f"{name} is {text}" for name, text in formulas.items())
        message = (
            f"{shown} of the opening's numbers {numbers[0]}, and so in all {len(several)} tasks: "
            f"{named(several[0])}"
        )
        yield Hit(message, several[0], Place(task=several[0].label))
    elif not names:
        yield skip("no deciding call says a whole number")


SOME = 6
"""Tasks in which a formula holds by no accident, of those that are tried with the deciding call alone."""


def _opening_numbers(trajectory: Trajectory) -> list[int]:
    text = str(trajectory.prompt[-1].get("content")) if trajectory.prompt else ""
    return [int(found[0][:9]) for found in re.finditer(r"\d+", text)][:12]


def _formula(values: list[object], numbers: list[list[int]]) -> str:
    """How values follow from the numbers beside them in all tasks, or "" where they are few or do not."""
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


LEAST_VALUES = 3
"""Different values that an answer must have to follow from anything."""


@check(
    "ISO018",
    "best-is-shown",
    fix="show nobody what a task's best is, or draw what is shown apart from it",
    needs=[REFERENCE, BY_TASK],
    after=["REW027"],
    trusts="runs",
    level="warn",
)
def best_is_shown(evidence: Evidence) -> Iterator[Hit]:
    """Where the best differs by task, no number that is shown before the end is the best.

    It tells what to hold out for, and a policy needs not find out.
    """
    bests = bests_of(evidence)
    shown: dict[str, dict[str, set[float]]] = defaultdict(dict)
    first: dict[str, Trajectory] = {}
    for each in evidence.every_bare:
        openings = (str(message.get("content", "")) for message in each.prompt)
        answers = (step.text for step in each.steps if not step.done)
        for before, number in _decimals(" ".join(openings), *answers):
            shown[before].setdefault(task_of(each), set()).add(number)
            first.setdefault(before, each)
    told = set(bests.values())
    if len(told) < LEAST_VALUES or not any(len(tasks) >= SOME for tasks in shown.values()):
        yield skip(f"fewer than {LEAST_VALUES} bests differ, or hardly any number is shown")
        return
    for before, tasks in shown.items():
        pairs = [(found, bests[task]) for task, found in tasks.items() if task in bests]
        if len(pairs) < SOME or len({best for _, best in pairs}) < LEAST_VALUES:
            continue
        tell = sum(all(_tells(number, best) for number in found) for found, best in pairs)
        if tell >= MOSTLY * len(pairs):
            each = first[before]
            message = (
                f"the number after {before!r} is the best that the task pays in {tell} of {len(pairs)} tasks, as "
                f"{bests[task_of(each)]:g}: {named(each)}"
            )
            yield Hit(message, each, Place(task=each.label))
            return


def _decimals(*texts: str) -> Iterator[tuple[str, float]]:
    """The numbers of texts, each with the words before it."""
    for text in texts:
        plain = " ".join(text.split())
        for found in re.finditer(r"\d+(?:\.\d+)?", plain):
            yield _NUMBER.sub("#", plain[: found.start()])[-24:], float(found[0][:18])


def _tells(number: float, best: float) -> bool:
    """Whether a number is a best as it is, rounded to two places or more, or in per cent."""
    return abs(number - best) <= ROUNDED or abs(number / 100 - best) <= ROUNDED


ROUNDED = 0.005
"""By how much a number that tells a best may differ from it: what is shown is often rounded."""


CHECKS = (
    number_reveals_order,
    distance_revealed,
    answer_computed,
    best_is_shown,
)
