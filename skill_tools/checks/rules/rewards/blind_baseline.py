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
    """Return the attempts of blind players that tried several tasks, in two kinds.

    Players of the first kind always make the same call. Players of the second kind copy something that they were
    shown.
    """
    return [
        [
            several
            for several in grouped(attempts(evidence, kind), same_change).values()
            if len(several) >= SEVERAL
        ]
        for kind in ("constant", "copy")
    ]


def _none_plays(_: Evidence) -> str:
    return f"no player who never looks has a return on {SEVERAL} tasks"


def _in_parts(evidence: Evidence, several: list[Attempt], earned: float) -> bool:
    """Return whether a player gets half of the reward but seldom the maximum.

    Such a player gets partial credit, which is not mere luck.
    """
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
                "{words}: earns {share} of the maximum in {of} tasks, such as {how}",
                look=BEST,
                fail=MOST,
                also=_in_parts,
                few=_none_plays,
            ),
            ("REW013", "thoughtless-player-paid"),
        ),
        bound="a player who never looks may earn less than 0.7 of the maximum on average",
        fix="vary the answers between tasks, offer options in random order, and do not give the "
        "reward for a single call",
        needs=(probe("constant", "copy"), REWARD_RANGE, NO_LUCK),
        after=(*UNPAID, "REW010", "TAS003"),
        stage="consequence",
        says="""A player who always makes the same calls, or copies part of the prompt by a rule, earns little.

        Policies first find the most frequent answer, the first option or the last number in the prompt.
        """,
    ),
    Check(
        "REW015",
        "luck-pays",
        partial(
            in_the_mean,
            Ceiling(
                _wanderers,
                "random legal play earns {share} of the maximum over {of} episodes; the shortest win was {how}",
                look=MUCH + CLOSE,
                few=_few_wander,
                shown=_shortest_win,
            ),
            ("REW015", "luck-pays"),
        ),
        bound="random legal play may earn 0.5 of the maximum on average",
        fix="make tasks longer or add options, so that chance earns less",
        needs=(probe("luck"), REWARD_RANGE, NO_LUCK),
        after=(*UNPAID, "REW010", "REW013"),
        level="warn",
        stage="consequence",
        says="""Over many episodes, random legal play earns less than half of the maximum.

        Reward earned by chance teaches nothing. If chance earns more than half, little is left to learn.
        """,
    ),
)
