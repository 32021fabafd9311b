"""REW013 and 015: whether a player that never looks at the task gets reward."""

from __future__ import annotations

from functools import partial

from skill_tools.checks.check import Check
from skill_tools.checks.needs import NO_LUCK, REWARD_RANGE, probe
from skill_tools.checks.reading.curves import BEST, MOST, SEVERAL
from skill_tools.checks.reading.probed import (
    CLOSE,
    FEW,
    attempts,
    grouped,
    same_change,
    too_few,
    tops,
)
from skill_tools.checks.rules.rewards.hacking import MUCH, UNPAID
from skill_tools.checks.tables.bounds import Ceiling, in_the_mean
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Attempt


def players(evidence: Evidence) -> list[list[list[Attempt]]]:
    """Attempts of each blind player on several tasks: those with one call, and those that copy."""
    return [
        [
            several
            for several in grouped(attempts(evidence, kind), same_change).values()
            if len(several) >= SEVERAL
        ]
        for kind in ("constant", "copy")
    ]


def _none_plays(_: Evidence) -> str:
    return f"no such player has a return on {SEVERAL} tasks"


def _in_parts(evidence: Evidence, several: list[Attempt], earned: float) -> bool:
    """Half of the reward in parts, hardly ever in full, cannot be luck among a few answers."""
    return earned >= MUCH and len(tops(evidence, several)) * 4 < len(several)


def _wanderers(evidence: Evidence) -> list[list[list[Attempt]]]:
    found = attempts(evidence, "luck")
    return [[found]] if len(found) >= FEW else []


def _few_wander(evidence: Evidence) -> str:
    return too_few(attempts(evidence, "luck"))


def _shortest_win(evidence: Evidence, several: list[Attempt]) -> Attempt:
    return min(tops(evidence, several) or several, key=lambda each: len(each.trajectory.steps))


CHECKS = (
    Check(
        "REW013",
        "thoughtless-player-paid",
        partial(
            in_the_mean,
            Ceiling(
                players,
                "{words}: {share} of the top in {of} tasks, as {how}",
                look=BEST,
                fail=MOST,
                also=_in_parts,
                few=_none_plays,
            ),
            ("REW013", "thoughtless-player-paid"),
        ),
        bound="the share of the top that a player who never looks may earn on average: below 0.7",
        fix="vary the answers between tasks, offer options in random order, and do not reward one call alone",
        needs=(probe("constant", "copy"), REWARD_RANGE, NO_LUCK),
        after=(*UNPAID, "REW010", "TAS003"),
        stage="consequence",
        says="""A player who always makes the same calls, or copies part of the prompt by a rule, earns little.

        The most frequent answer, the first option, the last number: policies find these first.
        """,
    ),
    Check(
        "REW015",
        "luck-pays",
        partial(
            in_the_mean,
            Ceiling(
                _wanderers,
                "{share} of the top over {of} episodes; the shortest win {how}",
                look=MUCH + CLOSE,
                few=_few_wander,
                shown=_shortest_win,
            ),
            ("REW015", "luck-pays"),
        ),
        bound="the share of the top that random legal play may earn in the mean: 0.5",
        fix="make tasks longer or add options, so that chance earns less",
        needs=(probe("luck"), REWARD_RANGE, NO_LUCK),
        after=(*UNPAID, "REW010", "REW013"),
        level="warn",
        stage="consequence",
        says="""Over many episodes, random legal play earns less than half of the top.

        What chance earns is not learned; above a half little is left to learn.
        """,
    ),
)
