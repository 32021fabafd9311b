"""ISO: whether what is hidden follows from the numbers that are shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from skill_tools.checks.check import check
from skill_tools.checks.reading.episodes import named
from skill_tools.checks.reading.probed import tops, tried
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.play.probes.probe import decided, whole_numbers


@check(
    "ISO017",
    "answer-computed",
    fix="draw what is shown and what is hidden apart from each other",
    needs=["explored", "reward_range"],
    after=["DET001", "ISO001", "ISO005", "ISO006", "REW013"],
    level="warn",
)
def answer_computed(evidence: Evidence) -> Iterator[str]:
    """Where it takes several calls to find out, no sum or difference of numbers in the opening is the answer.

    A policy finds the formula, such as the mirror image of where it begins, and looks no more.
    """
    alone = {each.of for each in tops(evidence, tried(evidence, "right"))}
    oracle = (evidence.reference or {}).get("oracle", {})
    several = [oracle[label] for label in alone if label in oracle and len(oracle[label].steps) > 1]
    answers = [whole_numbers(decided(each)) for each in several]
    numbers = [_opening_numbers(each) for each in several]
    if len(several) < SOME or len({len(found) for found in numbers}) != 1:
        return
    names = list(answers[0])
    formulas = {name: _formula([a.get(name) for a in answers], numbers) for name in names}
    if names and all(formulas.values()) and any(" " in text for text in formulas.values()):
        shown = ", ".join(f"{name} is {text}" for name, text in formulas.items())
        yield (
            f"{shown} of the opening's numbers {numbers[0]}, and so in all {len(several)} tasks: "
            f"{named(several[0])}"
        )


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


CHECKS = (answer_computed,)
