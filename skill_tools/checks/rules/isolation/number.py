"""The engine of numbers: whether a shown number reveals, by some relation, a hidden value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from skill_tools.checks.check import Hit, Place, skip
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory

LEAST = 8
"""Tasks whose order is no accident, one in twenty thousand; and clicks of which so many are told a distance."""
MOSTLY = 0.9
"""Share of what is compared that must be told: a number near it is in some texts by chance."""


@dataclass(frozen=True)
class Beside:
    """Numbers that an episode showed, and what was hidden then."""

    played: Trajectory
    numbers: tuple[float, ...]
    secret: Any
    tool: str = ""
    said: str = ""


Numbers = dict[str, list[Beside]]
"""By where the numbers stand: the words before them, say."""


@dataclass(frozen=True)
class NumberLeak:
    """A row of the engine: numbers that are shown beside what is hidden, and how they would tell it.

    enough: whether so many pairs tell more than chance. tell: that they do, in words, with the pair that shows it.
    untold: what is said where nothing could be compared. once: whether the first place that tells is
    enough.
    """

    pairs: Callable[[Evidence], Numbers]
    enough: Callable[[Sequence[Beside]], bool]
    tell: Callable[[str, Sequence[Beside]], tuple[str, Beside] | None]
    untold: str
    once: bool = True


def numbers_tell(row: NumberLeak, evidence: Evidence) -> Iterator[Hit]:
    """No number that is shown stands in such a relation to what is hidden that it tells it."""
    several = {where: pairs for where, pairs in row.pairs(evidence).items() if row.enough(pairs)}
    if not several:
        yield skip(row.untold)
    for where, pairs in several.items():
        if told := row.tell(where, pairs):
            message, pair = told
            yield Hit(message, pair.played, Place(task=pair.played.label, tool=pair.tool))
            if row.once:
                return
