"""REW013 to 015: whether a player who never looks at the task is paid."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import Hit, check, skip
from skill_tools.checks.needs import NO_LUCK, REWARD_RANGE, probe
from skill_tools.checks.reading.probed import (
    FEW,
    attempts,
    describe,
    grouped,
    same_change,
    seen_in,
    share,
    too_few,
    tops,
    total,
)
from skill_tools.checks.rules.rewards.hacking import MOST, MUCH, UNPAID
from skill_tools.evidence.calls import show_calls
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Attempt

BEST = 0.7
"""Share of the oracle's return above the least from which the best of several players is worth a look."""
SEVERAL = 5
"""Tasks below which the best of several players may just be lucky."""


def players(evidence: Evidence) -> list[list[list[Attempt]]]:
    """What each player who does not look did on several tasks: those of one call, and those who copy."""
    return [
        [
            several
            for several in grouped(attempts(evidence, kind), same_change).values()
            if len(several) >= SEVERAL
        ]
        for kind in ("constant", "copy")
    ]


@check(
    "REW013",
    "thoughtless-player-paid",
    fix="vary the answers between tasks, offer options in random order, and do not pay for one call",
    needs=[probe("constant", "copy"), REWARD_RANGE, NO_LUCK],
    after=[*UNPAID, "REW010", "TAS003"],
    stage="consequence",
)
def thoughtless_player_paid(evidence: Evidence) -> Iterator[Hit]:
    """A player who always does the same, or copies a part of the prompt by a rule, earns little.

    The most frequent answer, the first option, the last number: policies find these first.
    """
    by_kind = players(evidence)
    if not any(by_kind):
        yield skip(f"no such player has a return on {SEVERAL} tasks")
    for groups in filter(None, by_kind):
        best = max(groups, key=lambda several: share(evidence, several))
        earned = share(evidence, best)
        # Half of it in parts, and hardly ever the whole, is no luck among a few answers.
        in_parts = earned >= MUCH and len(tops(evidence, best)) * 4 < len(best)
        if earned >= BEST or in_parts:
            top = max(best, key=total)
            message = (
                f"{top.words}: {earned:.0%} of the top in {len(best)} tasks, as {describe(top)}"
            )
            yield seen_in(top, message, "fail" if earned >= MOST else "warn")


@check(
    "REW014",
    "last-call-alone-paid",
    fix="pay for what was done before the last call, as the world shows it",
    needs=[probe("last"), REWARD_RANGE, NO_LUCK],
    after=[*UNPAID, "REW010", "REW013"],
    stage="consequence",
)
def last_call_alone_paid(evidence: Evidence) -> Iterator[Hit]:
    """A call that is the same in all tasks, such as `submit()`, earns nothing as the first call.

    If it did, all that comes before it in the solution would be for show.
    """
    found = attempts(evidence, "last")
    calls = {show_calls([(s.tool, s.arguments) for s in each.trajectory.steps]) for each in found}
    paid = tops(evidence, found)
    if len(found) < FEW:
        yield skip(too_few(found))
    elif len(calls) > 1:
        yield skip("the call that decides is not the same in all tasks")
    elif len(paid) * 2 >= len(found):
        message = f"{len(paid)} of {len(found)} reach the top, as {describe(paid[0])}"
        yield seen_in(paid[0], message, tool=paid[0].trajectory.steps[-1].tool)


@check(
    "REW015",
    "luck-pays",
    fix="make tasks longer or options more, so that chance earns less",
    needs=[probe("luck"), REWARD_RANGE, NO_LUCK],
    after=[*UNPAID, "REW010", "REW013"],
    level="warn",
    stage="consequence",
)
def luck_pays(evidence: Evidence) -> Iterator[Hit]:
    """Random legal play earns less than half of the top, over many episodes.

    What chance earns is not learned; above a half little is left to learn.
    """
    found = attempts(evidence, "luck")
    earned = share(evidence, found)
    if len(found) < FEW:
        yield skip(too_few(found))
    elif earned > MUCH:
        best = min(tops(evidence, found) or found, key=lambda each: len(each.trajectory.steps))
        message = (
            f"{earned:.0%} of the top over {len(found)} episodes; the shortest win {describe(best)}"
        )
        yield seen_in(best, message)


CHECKS = (thoughtless_player_paid, last_call_alone_paid, luck_pays)
