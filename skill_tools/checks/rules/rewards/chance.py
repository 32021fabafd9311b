"""REW028 to 030: in worlds of chance, whether the oracle plays well without hindsight, and deals are fair."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from skill_tools.checks.check import Hit, check, skip
from skill_tools.checks.needs import PROBED, USED_SEED, probe
from skill_tools.checks.reading.curves import interval
from skill_tools.checks.reading.probed import seen_in
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.surveyed import Chance

DEALS = 100
"""Minimum number of deals for a meaningful mean."""


@check(
    "REW028",
    "oracle-no-better-than-luck",
    fix="make the oracle play the best policy for what it is shown; if it already plays "
    "this policy, make decisions matter more",
    needs=[probe("chance")],
    after=["DET002", "REW001", "REW003"],
)
def oracle_no_better_than_luck(evidence: Evidence) -> Iterator[Hit]:
    """If luck decides, the oracle's mean return is higher than the mean return of any blind player.

    The check compares means over the same deals. The 95% interval of their difference must be above 0.
    """
    dealt = _dealt(evidence)
    if len(dealt.dealt) < DEALS:
        yield skip(
            f"{len(dealt.dealt)} deals are too few to separate play from luck", untimed=dealt.cut
        )
        return
    mean, half = interval([each.total for each in dealt.dealt])
    for place, player in enumerate(dealt.players):
        pairs = [(d.total, o) for d in dealt.dealt if (o := d.others[place]) is not None]
        if len(pairs) < DEALS:
            continue
        more, width = interval([ours - theirs for ours, theirs in pairs])
        if more > width:
            continue
        theirs = fmean(other for _, other in pairs)
        message = (
            f"{player}: {theirs:.3f} on average over {len(pairs)} deals, and the oracle {mean:.3f} "
            f"± {half:.3f}; the oracle earns {more:+.3f} ± {width:.3f} more on the same deals"
        )
        yield Hit(message, level="fail" if more <= 0 else "warn")


@check(
    "REW029",
    "oracle-foresees-luck",
    fix="make the oracle decide only from what it was shown: let it play its own world, and read only the replies",
    needs=[probe("chance")],
    after=["DET002", "DET004"],
    level="warn",
)
def oracle_foresees_luck(evidence: Evidence) -> Iterator[Hit]:
    """If luck decides, the oracle makes the same call whenever it was shown the same observations.

    An oracle that knows the next card has a return that no policy can learn to reach, and its solutions teach nothing.
    If the best policy must be random, as in a bluffing game, its calls may differ.
    """
    dealt = _dealt(evidence)
    if not dealt.compared:
        yield skip("no two deals showed the oracle the same")
    for each in dealt.foreseen:
        message = (
            f"{each.task} with seed {each.seed}: step {each.step} is {each.call}, but it was "
            f"{each.other_call} on {each.other}, which had shown the same up to this step"
        )
        yield seen_in(each.shown, message) if each.shown else Hit(message)


@check(
    "REW030",
    "deals-are-chosen",
    fix="generate each task from its number alone, and keep tasks that cannot be won",
    needs=[probe("chance"), USED_SEED],
    after=["REW028", "REW029"],
    level="warn",
)
def deals_are_chosen(evidence: Evidence) -> Iterator[Hit]:
    """If luck decides, the tasks are not a selection of deals: other deals have the same mean return.

    If only winnable hands are kept, a policy learns to win these hands, and loses all others.
    """
    own = [each.total for each in _dealt(evidence).dealt if each.own]
    others = [each.total for each in _dealt(evidence).dealt if not each.own]
    if min(len(own), len(others)) < SOME:
        played = f"{len(own)} with the tasks' own seeds and {len(others)} with others"
        yield skip(f"only {played} were played, but {SOME} of each kind are needed; play 40 tasks")
        return
    (mean, half), (usual, width) = interval(own), interval(others)
    if abs(mean - usual) > FAR * (half**2 + width**2) ** 0.5:
        yield Hit(
            f"the oracle earns {mean:.3f} ± {half:.3f} on {len(own)} tasks with their own seeds, "
            f"but {usual:.3f} ± {width:.3f} on {len(others)} deals with other seeds"
        )


SOME = 20
"""Minimum number of tasks for a mean."""
FAR = 1.5
"""Difference of two means, in 95 % intervals, that chance exceeds in three of a thousand cases."""


def _dealt(evidence: Evidence) -> Chance:
    found = PROBED.of(evidence).chance
    return found or Chance(players=[], dealt=[], compared=0, foreseen=[])


CHECKS = (oracle_no_better_than_luck, oracle_foresees_luck, deals_are_chosen)
