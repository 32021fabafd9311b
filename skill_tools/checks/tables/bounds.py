"""Ceilings and floors: the maximum or minimum return of a kind of player, and the message if a return is beyond
this limit."""

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
"""A player's maximum or minimum return in an attempt."""
Players = Callable[[Evidence], list[Attempt]]
"""The attempts of some players, each with a return."""


@dataclass(frozen=True)
class Bound:
    """A maximum, a minimum, or both, for the return of some players.

    Attributes:
        words: The message. Its placeholders are ``named`` or ``how`` (the episode), ``probe`` and ``words`` (the
            attempt), ``task``, ``total``, ``least`` and ``most`` (the limits), ``text`` (the last answer), ``many``
            (the number of violating attempts) and ``of`` (the number of all attempts).
        beyond: Returns the attempts that violate the bound, if no limit defines the violation.
        on: Share of violating attempts that is enough for one hit about all attempts; None for one hit per attempt.
        at_least_on: Minimum number of violating attempts.
        enough: Minimum number of attempts.
        few: Why fewer attempts cannot be judged.
        at_call: Whether the last call shows the defect.
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
    """Yield hits for players whose return violates a bound, or a skip if there are too few attempts. ``check`` is
    the check's id and name. A hit is only a note if env.yaml allows the share of attempts.
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
    """Return a function that gives the episodes of these policies, one policy after another."""
    return lambda evidence: _as_attempts(t for each in policies for t in scored(evidence, each))


def by_probe(*kinds: str) -> Players:
    """Return a function that gives the attempts of these probes."""
    return lambda evidence: attempts(evidence, *kinds)


def by_everybody(evidence: Evidence) -> list[Attempt]:
    """Return all episodes with a return, in every variant."""
    return _as_attempts(evidence.scored)


def _as_attempts(played: Iterable[Trajectory]) -> list[Attempt]:
    return [Attempt(each.model, "", each.label, each) for each in played]


def top(evidence: Evidence, _: Attempt) -> float:
    """Return the top of the declared reward range."""
    return REWARD_RANGE.of(evidence)[1]


def bottom(evidence: Evidence, _: Attempt) -> float:
    """Return the bottom of the declared reward range."""
    return REWARD_RANGE.of(evidence)[0]


def nothing(evidence: Evidence, _: Attempt) -> float:
    """Return the return that an episode without changes should have: 0, or the limit of the range nearest to 0."""
    least, most = REWARD_RANGE.of(evidence)
    return max(least, min(0.0, most))


def best(evidence: Evidence, each: Attempt) -> float:
    """Return a task's maximum return: the task's declared maximum, or otherwise the top of the range."""
    return bests_of(evidence).get(task_of(each.trajectory), top(evidence, each))


@dataclass(frozen=True)
class Ceiling:
    """The highest share of the maximum return that players without skill may get on average.

    Attributes:
        players: Returns the attempts of each player, by kind. The best player of each kind is reported.
        words: The message. Its placeholders are ``share``, ``of`` (the number of tasks), ``how`` and ``words``
            (the attempt shown).
        look: The lowest share at which a person should examine the player.
        fail: The lowest share at which the check fails; None for never.
        also: Returns whether there is another reason to examine a player.
        unless: Returns whether a player with a share below ``fail`` need not be examined.
        shown: Returns the attempt that the message shows.
        few: Why there were too few attempts.
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
    """Yield a hit for the best player of each kind whose mean return is above the ceiling. If env.yaml allows the
    share, the hit is only a note.
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
