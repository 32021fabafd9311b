"""TAS007: whether the splits are equally difficult for a policy."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from statistics import fmean

from skill_tools.checks.check import Hit, Place, check, note, skip
from skill_tools.checks.needs import PROBED, probe
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Probed

ENOUGH = 8
"""Minimum tasks in each of two splits for a comparison."""
SURE = 2.4
"""Minimum distance of two distributions in standard widths (Kolmogorov and Smirnov).

One pair in fifty thousand reaches it by chance.
"""
BEFORE = 24
"""Characters before a number that identify it in another opening."""
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,9}(?:\.\d{1,9})?(?![\w.]*\d)")
Values = Mapping[str, Mapping[int, float]]
"""The values to compare, by split and task."""


@check(
    "TAS007",
    "splits-differ",
    fix="give all splits the same sizes, limits and hints; a split that you hold out deliberately may be harder, but "
    "not easier",
    needs=[probe("survey")],
    after=["DET001", "TAS001", "TAS006"],
    trusts="runs",
    level="warn",
)
def splits_differ(evidence: Evidence) -> Iterator[Hit]:
    """All splits have similar solution lengths, returns of random play, and numbers in the text of openings.

    A test split that is easier than training says little about what was learned. A harder test split may be
    intended.
    """
    compared = False
    for what, values in _compared(PROBED.of(evidence)):
        largest = max(values, key=lambda split: len(values[split]), default="")
        for split in sorted(values.keys() - {largest}):
            there, here = (list(values[name].values()) for name in (largest, split))
            if min(len(there), len(here)) < ENOUGH:
                continue
            compared = True
            if _apart(there, here) >= SURE:
                message = (
                    f"{what} differs between splits: {_told(largest, there)}, {_told(split, here)}"
                )
                place = Place(task=f"{split}/{min(values[split])}")
                easier = what == RANDOM and fmean(here) > fmean(there)
                yield Hit(message, place=place) if easier else note(message, place=place)
                return
    if not compared:
        yield skip(f"no two splits have {ENOUGH} opened tasks each")


RANDOM = "the return of random play"


def _compared(probed: Probed) -> Iterator[tuple[str, Values]]:
    """Yield each measure of difficulty, such as solution length, with its values by split and task."""
    wandered: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for play in probed.wandered:
        if play.total is not None:
            wandered[play.split][play.index].append(play.total)
    yield (
        RANDOM,
        {
            split: {index: fmean(several) for index, several in by_task.items()}
            for split, by_task in wandered.items()
        },
    )
    steps: dict[str, dict[int, float]] = defaultdict(dict)
    for each in probed.solved:
        if each.seed is None and each.end != "failed":
            steps[each.split][each.index] = float(each.steps)
    yield "the number of calls the oracle makes", steps
    numbers: dict[str, dict[str, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
    for task in probed.opened:
        for before, number in _numbers(task.prompt).items():
            numbers[before][task.split][task.index] = number
    for before, values in numbers.items():
        every = [number for by_task in values.values() for number in by_task.values()]
        # Values that differ in every task are its name, its seed, or the problem itself.
        if len(set(every)) * 2 <= len(every):
            yield f"the number after {before!r} in the openings", values


def _numbers(prompt: str) -> dict[str, float]:
    """Return the numbers of an opening by the words before each number.

    Words that precede several numbers are left out.
    """
    plain, found = " ".join(prompt.split()), defaultdict(list)
    for each in _NUMBER.finditer(plain):
        before = re.sub(r"\d+", "#", plain[: each.start()])[-BEFORE:]
        found[before].append(float(each[0]))
    return {before: several[0] for before, several in found.items() if len(several) == 1}


def _apart(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Return the distance between two samples: the Kolmogorov-Smirnov statistic in units of its standard width."""
    n, m = len(ours), len(theirs)
    gap = max(
        abs(sum(v <= at for v in ours) / n - sum(v <= at for v in theirs) / m)
        for at in {*ours, *theirs}
    )
    return gap * sqrt(n * m / (n + m))


def _told(split: str, values: Sequence[float]) -> str:
    ordered = sorted(values)
    middle = ordered[len(ordered) // 2]
    return f"{ordered[0]:g} to {ordered[-1]:g}, with median {middle:g}, in {split} ({len(values)} tasks)"


CHECKS = (splits_differ,)
