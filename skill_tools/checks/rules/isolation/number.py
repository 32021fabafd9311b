"""The number engine: whether a shown number reveals a hidden value by some relation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from skill_tools.checks.check import Hit, Level, Place, skip
from skill_tools.checks.needs import Need
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory

LEAST = 8
"""Minimum tasks, for an order that chance gives once in twenty thousand; also minimum clicks with a distance."""
MOSTLY = 0.9
"""Minimum share of revealing numbers: some texts contain close numbers by chance."""


@dataclass(frozen=True)
class Beside:
    """The numbers that an episode showed, and the hidden value of its task at that time."""

    played: Trajectory
    numbers: tuple[float, ...]
    secret: Any
    tool: str = ""
    said: str = ""


Numbers = dict[str, list[Beside]]
"""Numbers by their place, such as the words before them."""


@dataclass(frozen=True)
class NumberLeak:
    """A comparison of shown numbers with hidden values, which the numbers may reveal.

    Attributes:
        enough: Returns whether there are enough pairs to rule out chance.
        reveal: Returns the relation as text and a pair that shows the relation, or None.
        fix: The fix, if it differs from the check's fix.
        level: The severity of the hits.
        needs: The evidence that must have been observed.
        once: Whether to report only the first place that reveals the value.
    """

    pairs: Callable[[Evidence], Numbers]
    enough: Callable[[Sequence[Beside]], bool]
    reveal: Callable[[str, Sequence[Beside]], tuple[str, Beside] | None]
    fix: str = ""
    level: Level = "warn"
    needs: tuple[Need[object], ...] = ()
    once: bool = True

    def compared(self, evidence: Evidence) -> Numbers:
        """Return the pairs of shown numbers and hidden values, by place, if there are enough pairs to rule out
        chance."""
        if any(need.unmet(evidence) for need in self.needs):
            return {}
        return {where: pairs for where, pairs in self.pairs(evidence).items() if self.enough(pairs)}

    def hits(self, several: Numbers) -> Iterator[Hit]:
        """Yield a hit for each place at which a number reveals the hidden value."""
        for where, pairs in several.items():
            if found := self.reveal(where, pairs):
                message, pair = found
                place = Place(task=pair.played.label, tool=pair.tool)
                yield Hit(message, pair.played, place, self.level, fix=self.fix)
                if self.once:
                    return


def numbers_reveal(rows: Sequence[NumberLeak], evidence: Evidence) -> Iterator[Hit]:
    """Yield a hit for each place at which shown numbers reveal a hidden value, for example by being twice as large."""
    compared = [(row, several) for row in rows if (several := row.compared(evidence))]
    if not compared:
        yield skip(
            "too few tasks show a number together with a hidden value that differs between them"
        )
    for row, several in compared:
        yield from row.hits(several)
