"""Ceilings and floors: the maximum or minimum return of a kind of player, and the message if it is crossed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from skill_tools.checks.check import Hit, Status, skip
from skill_tools.checks.needs import REWARD_RANGE
from skill_tools.checks.reading.episodes import named, scored
from skill_tools.checks.reading.probed import (
    CLOSE,
    attempts,
    bests_of,
    describe,
    seen_in,
    share,
    task_of,
    total,
)
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Attempt
from skill_tools.evidence.trajectory import Trajectory

Limit = Callable[[Evidence, Attempt], float]
"""What a player may earn at most, or must earn at least, where something was tried."""
Players = Callable[[Evidence], list[Attempt]]
"""What some players did, each with a return."""


@dataclass(frozen=True)
class Bound:
    """A ceiling, a floor, or both, of what some players earn.

    beyond: which of them are beyond it, where no limit says so. words: how it is told; of ``named`` or
    ``how`` (the episode), ``probe`` and ``words`` (of what was tried), ``task``, ``total``, ``least``
    and ``most`` (the limits), ``text`` (the last answer), and how ``many`` of how many (``of``) are
    beyond. on: the share of all from which it is told, once; None where each is told. at_least_on: how
    many must be beyond. enough: how many must have been tried; few: why fewer tell nothing. at_call:
    whether it is the last call that shows it.
    """

    players: Players
    words: str
    most: Limit | None = None
    least: Limit | None = None
    beyond: Callable[[Evidence, list[Attempt]], list[Attempt]] | None = None
    on: float | None = None
    at_least_on: int = 1
    enough: int = 1
    few: Callable[[Evidence, list[Attempt]], str] | str = ""
    at_call: bool = False


def bounded(rows: tuple[Bound, ...], check: tuple[str, str], evidence: Evidence) -> Iterator[Hit]:
    """What is told of players who earned beyond the bounds of a check, or why too little was tried to tell.

    check: its id and name. Up to the share that env.yaml allows under one of these it is a note.
    """
    silent: list[str] = []
    for row in rows:
        tried = row.players(evidence)
        if len(tried) < row.enough:
            silent.append(row.few if isinstance(row.few, str) else row.few(evidence, tried))
            continue
        beyond = _beyond(row, tried, evidence)
        told, part = beyond, len(beyond) / len(tried)
        if row.on is not None:
            often = len(beyond) >= row.at_least_on and part >= row.on
            told = beyond[:1] if often else []
        allowed = evidence.declaration.bound_of(*check)
        mild = allowed if allowed and part < allowed.share else None
        for each in told:
            message = _message(row, each, (len(beyond), len(tried)), evidence)
            message += f" ({mild.said})" if mild else ""
            steps = each.trajectory.steps
            tool = steps[-1].tool if row.at_call and steps else ""
            parameter = str(each.change.get("parameter", "")) if row.at_call else ""
            level: Status | None = "note" if mild else None
            yield seen_in(each, message, level, tool=tool, parameter=parameter)
    if len(silent) == len(rows) and any(silent):
        yield skip(silent[0])


def _beyond(row: Bound, tried: list[Attempt], evidence: Evidence) -> list[Attempt]:
    if row.beyond:
        return row.beyond(evidence, tried)
    return [
        each
        for each in tried
        if (row.most and total(each) > row.most(evidence, each) + CLOSE)
        or (row.least and total(each) < row.least(evidence, each) - CLOSE)
    ]


def _message(row: Bound, each: Attempt, counts: tuple[int, int], evidence: Evidence) -> str:
    steps = each.trajectory.steps
    return row.words.format(
        named=named(each.trajectory),
        how=describe(each),
        probe=each.probe,
        words=each.words,
        task=each.of,
        total=f"{total(each):g}",
        least=f"{row.least(evidence, each):g}" if row.least else "",
        most=f"{row.most(evidence, each):g}" if row.most else "",
        text=steps[-1].text[:120] if steps else "",
        many=counts[0],
        of=counts[1],
    )


def by_policy(*policies: str) -> Players:
    """What some policies played, in that order, of the episodes that an environment is judged by."""
    return lambda evidence: _as_attempts(t for each in policies for t in scored(evidence, each))


def by_probe(*kinds: str) -> Players:
    """What was tried by some probes."""
    return lambda evidence: attempts(evidence, *kinds)


def by_everybody(evidence: Evidence) -> list[Attempt]:
    """All that was played, in every variant."""
    return _as_attempts(evidence.scored)


def _as_attempts(played: Iterable[Trajectory]) -> list[Attempt]:
    return [Attempt(each.model, "", each.label, each) for each in played]


def top(evidence: Evidence, _: Attempt) -> float:
    """The top of the declared range."""
    return REWARD_RANGE.of(evidence)[1]


def bottom(evidence: Evidence, _: Attempt) -> float:
    """The bottom of the declared range."""
    return REWARD_RANGE.of(evidence)[0]


def nothing(evidence: Evidence, _: Attempt) -> float:
    """What an untouched world is worth: the bottom of the range, or 0 where that has penalties below it."""
    least, most = REWARD_RANGE.of(evidence)
    return max(least, min(0.0, most))


def best(evidence: Evidence, each: Attempt) -> float:
    """The most that a task pays: what is said of it, otherwise the top of the range."""
    return bests_of(evidence).get(task_of(each.trajectory), top(evidence, each))


@dataclass(frozen=True)
class Ceiling:
    """The share of the most there is that players may earn on average, who do not deserve it.

    players: what each of them did, by kind; of each kind the best is told of. words: how it is told; of
    the ``share``, on how many tasks (``of``), ``how`` and ``words`` (of the attempt that shows it). look:
    the share from which it is worth a look, fail: from which it fails, None for never. also: whether it is
    worth a look for another reason. unless: whether a share below ``fail`` is no reason. shown: which
    attempt shows it. few: why too little was tried.
    """

    players: Callable[[Evidence], list[list[list[Attempt]]]]
    words: str
    look: float
    few: Callable[[Evidence], str]
    fail: float | None = None
    also: Callable[[Evidence, list[Attempt], float], bool] | None = None
    unless: Callable[[Evidence, list[Attempt]], bool] | None = None
    shown: Callable[[Evidence, list[Attempt]], Attempt] = lambda _, several: max(several, key=total)


def in_the_mean(row: Ceiling, check: tuple[str, str], evidence: Evidence) -> Iterator[Hit]:
    """What is told of the best player of each kind who earns more on average than the ceiling of a check.

    Up to the share that env.yaml allows under the check's id or name it is a note.
    """
    kinds = row.players(evidence)
    if not any(kinds):
        yield skip(row.few(evidence))
    allowed = evidence.declaration.bound_of(*check)
    for groups in filter(None, kinds):
        several = max(groups, key=lambda each: share(evidence, each))
        earned = share(evidence, several)
        fails = row.fail is not None and earned >= row.fail
        looked = earned >= row.look and not (row.unless and row.unless(evidence, several))
        if fails or looked or (row.also and row.also(evidence, several, earned)):
            one = row.shown(evidence, several)
            message = row.words.format(
                share=f"{earned:.0%}", of=len(several), how=describe(one), words=one.words
            )
            level: Status = "fail" if fails else "warn"
            if allowed and earned < allowed.share:
                message, level = f"{message} ({allowed.said})", "note"
            yield seen_in(one, message, level)
