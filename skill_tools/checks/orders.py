"""ISO: whether numbers that are shown put tasks in the order of what is hidden."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from skill_tools.checks.check import check
from skill_tools.play.evidence import Evidence
from skill_tools.play.trajectory import Trajectory
from skill_tools.play.trials import decided

LEAST = 8
"""Tasks whose order is no accident: one in twenty thousand."""
_NUMBER = re.compile(r"\d+")


@check(
    "ISO014",
    "number-tells-order",
    fix="number tasks in an order that has nothing to do with their answers, or show no number",
    needs=["reference"],
    after=["DET001", "ISO001", "ISO005", "ISO006", "ISO013"],
)
def number_tells_order(evidence: Evidence) -> Iterator[str]:
    """No number of the openings rises with the answers' place in the alphabet.

    The number of a puzzle is then its place in the list of answers, and that list is easily had.
    """
    oracle = (evidence.reference or {}).get("oracle", {}).values()
    said = {each.label: answer for each in oracle if (answer := _answer(each))}
    if len(set(said.values())) < LEAST:
        return
    for where, numbers in _numbers([each for each in oracle if each.label in said]).items():
        pairs = sorted((number, said[label]) for label, number in numbers.items())
        answers = [answer for _, answer in pairs]
        distinct = len({number for number, _ in pairs}) == len(pairs) >= LEAST
        if distinct and answers in (sorted(answers), sorted(answers, reverse=True)):
            low, high = pairs[0], pairs[-1]
            yield (
                f"the number after {where!r} rises with the alphabet over {len(pairs)} tasks: "
                f"{low[0]} for {low[1]!r}, {high[0]} for {high[1]!r}"
            )


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


CHECKS = (number_tells_order,)
