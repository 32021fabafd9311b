"""Relations: which two runs must agree, in what, and the message if they do not."""

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
    """Two runs of the same calls: ``again`` is told of, and compared with ``first``.

    who: how a message names what was played again, where it is not by its policy and its task.
    """

    first: Trajectory
    again: Trajectory
    who: str = ""


@dataclass(frozen=True)
class Difference:
    """In what two runs differ; ``what`` and ``more`` stand in the row's words.

    step: the call that shows it. level: where it is milder than its check.
    """

    what: str = ""
    more: str = ""
    step: Step | None = None
    level: Status | None = None


Part = Callable[[Evidence, Pair], Difference | None]
"""Compares one part of two runs: how they differ in it, or None."""


@dataclass(frozen=True)
class Relation:
    """Which runs must agree, or of which some must differ.

    parts: what of them is compared, one part of all pairs after the other. words: how a difference is
    told; of ``who``, ``label``, ``what`` and ``more``, or of ``count``, the pairs, where some must
    differ; and ``often``, on how many tasks. nothing: why nothing could be compared, or "" where that is no
    reason to skip. most: how many differences of a part are told.
    """

    pairs: Callable[[Evidence], Iterable[Pair]]
    parts: tuple[Part, ...]
    words: str = "{who}: {what}"
    must: Literal["agree", "differ somewhere"] = "agree"
    nothing: Callable[[Evidence], str] | str = ""
    most: int | None = None


def related(rows: tuple[Relation, ...], evidence: Evidence) -> Iterator[Hit]:
    """What is told of runs that do not agree as these rows say, or why there are none to compare."""
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
    """The first thing in which the whole episodes differ, without what is declared to vary."""
    what = difference(each.first, each.again, evidence.declaration)
    return Difference(what) if what else None
