"""The engine of numbers: whether a shown number reveals, by some relation, a hidden value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from skill_tools.checks.check import Hit, Level, Place, skip
from skill_tools.checks.needs import Need
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
"""By the place of the numbers: the words before them, say."""


@dataclass(frozen=True)
class NumberLeak:
    """Numbers that are shown with a hidden value, and how they would reveal it.

    enough: whether so many pairs show more than chance. reveal: that they do, in words, with the pair that shows it.
    fix: the remedy if it differs from the check's. level: of its hits. needs: what must have been seen.
    once: whether the first place that reveals it is enough.
    """

    pairs: Callable[[Evidence], Numbers]
    enough: Callable[[Sequence[Beside]], bool]
    reveal: Callable[[str, Sequence[Beside]], tuple[str, Beside] | None]
    fix: str = ""
    level: Level = "warn"
    needs: tuple[Need[object], ...] = ()
    once: bool = True

    def compared(self, evidence: Evidence) -> Numbers:
        """What can be compared in these episodes."""
        if any(need.unmet(evidence) for need in self.needs):
            return {}
        return {where: pairs for where, pairs in self.pairs(evidence).items() if self.enough(pairs)}

    def hits(self, several: Numbers) -> Iterator[Hit]:
        """The places at which a number reveals what is hidden."""
        for where, pairs in several.items():
            if found := self.reveal(where, pairs):
                message, pair = found
                place = Place(task=pair.played.label, tool=pair.tool)
                yield Hit(message, pair.played, place, self.level, fix=self.fix)
                if self.once:
                    return


def numbers_reveal(rows: Sequence[NumberLeak], evidence: Evidence) -> Iterator[Hit]:
    """No number that is shown reveals a hidden value by its relation to it."""
    compared = [(row, several) for row in rows if (several := row.compared(evidence))]
    if not compared:
        yield skip("no number is shown in enough tasks with a hidden value that differs")
    for row, several in compared:
        yield from row.hits(several)
