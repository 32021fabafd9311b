"""Relations: pairs of runs that must agree, the parts to compare, and the message about a disagreement."""

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
    """Two runs of the same calls. A hit is about ``again``, which is compared with ``first``.

    ``who`` names the repeated run in messages, if the run's policy and task do not identify the run.
    """

    first: Trajectory
    again: Trajectory
    who: str = ""


@dataclass(frozen=True)
class Difference:
    """The difference between two runs.

    ``what`` and ``more`` are inserted into the relation's message. ``step`` is the call that shows the
    difference. ``level`` is set if the difference is milder than the check.
    """

    what: str = ""
    more: str = ""
    step: Step | None = None
    level: Status | None = None


Part = Callable[[Evidence, Pair], Difference | None]
"""Compares one part of two runs: returns their difference, or None."""


@dataclass(frozen=True)
class Relation:
    """Pairs of runs that must be equal, or pairs of which some must differ.

    Attributes:
        parts: The parts to compare, one part at a time over all pairs.
        words: The message. Its placeholders are ``who``, ``label``, ``what``, ``more`` and ``often`` (the number
            of tasks). If some pairs must differ, ``count`` is the number of pairs.
        nothing: Why nothing could be compared, or "" if the check is not skipped in this case.
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
    """Return the first difference between two whole episodes, except in parts that are declared to vary."""
    what = difference(each.first, each.again, evidence.declaration)
    return Difference(what) if what else None
