"""Relations: which two runs must agree, in which parts, and the message if they do not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from skill_tools.checks.check import Hit, Status, skip
from skill_tools.checks.reading.episodes import difference, named
from skill_tools.checks.reading.probed import on_tasks, seen_in
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Step, Trajectory


@dataclass(frozen=True)
class Pair:
    """Two runs of the same calls. A hit is about ``again``, which is compared with ``first``. ``who`` names the
    repeated run in messages, if its policy and task do not identify it."""

    first: Trajectory
    again: Trajectory
    who: str = ""


@dataclass(frozen=True)
class Difference:
    """How two runs differ. ``what`` and ``more`` are inserted into the relation's message. ``step`` is the call that
    shows the difference. ``level`` is set if it is milder than its check."""

    what: str = ""
    more: str = ""
    step: Step | None = None
    level: Status | None = None


Part = Callable[[Evidence, Pair], Difference | None]
"""Compares one part of two runs: returns their difference, or None."""


@dataclass(frozen=True)
class Relation:
    """Pairs of runs that must be equal, or some of which must differ.

    Attributes:
        parts: What is compared, one part at a time over all pairs.
        words: The message, with ``who``, ``label``, ``what`` and ``more``; or with ``count``, the
            number of pairs, if some must differ; and ``often``, the number of tasks.
        nothing: Why nothing could be compared, or "" if the check need not be skipped then.
        most: Maximum number of differences reported per part.
    """

    pairs: Callable[[Evidence], Iterable[Pair]]
    parts: tuple[Part, ...]
    words: str = "{who}: {what}"
    must: Literal["agree", "differ somewhere"] = "agree"
    nothing: Callable[[Evidence], str] | str = ""
    most: int | None = None


def related(rows: tuple[Relation, ...], evidence: Evidence) -> Iterator[Hit]:
    """Yield a hit for each pair of runs that breaks a relation, or a skip if there are no runs to compare."""
    unpaired = []
    for row in rows:
        if not (pairs := list(row.pairs(evidence))):
            unpaired.append(row.nothing if isinstance(row.nothing, str) else row.nothing(evidence))
        elif row.must == "differ somewhere":
            yield from _all_alike(row, pairs, evidence)
        else:
            for part in row.parts:
                yield from islice(_differing(row, part, pairs, evidence), row.most)
    if len(unpaired) == len(rows) and any(unpaired):
        yield skip(next(filter(None, unpaired)))


def _differing(row: Relation, part: Part, pairs: list[Pair], evidence: Evidence) -> Iterator[Hit]:
    told = [(each, found) for each in pairs if (found := part(evidence, each))]
    often = on_tasks((each.again for each, _ in told), (each.again for each in pairs))
    for each, found in told:
        message = row.words.format(
            who=each.who or named(each.again),
            label=each.again.label,
            what=found.what,
            more=found.more,
            often=often,
        )
        tool = found.step.tool if found.step else ""
        yield seen_in(each.again, message, found.level, tool=tool)


def _all_alike(row: Relation, pairs: list[Pair], evidence: Evidence) -> Iterator[Hit]:
    if not any(part(evidence, each) for part in row.parts for each in pairs):
        again = [each.again for each in pairs]
        often = on_tasks(again, again)
        yield seen_in(again[0], row.words.format(count=len(pairs), often=often))


def episode(evidence: Evidence, each: Pair) -> Difference | None:
    """Return the first difference between two whole episodes, apart from what is declared to vary."""
    what = difference(each.first, each.again, evidence.declaration)
    return Difference(what) if what else None
