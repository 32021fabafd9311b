"""REW: whether going back and forth, or around the goal, is rewarded."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from skill_tools.checks.check import Hit, check, skip
from skill_tools.checks.needs import REWARD_RANGE, probe
from skill_tools.checks.reading.probed import (
    CLOSE,
    attempts,
    describe,
    grouped,
    seen_in,
    total,
)
from skill_tools.checks.rules.rewards.hacking import UNPAID
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Attempt


@check(
    "REW024",
    "worse-before-better-pays",
    fix="reward progress: either the best state so far, or the difference from the previous state, which is negative "
    "if the state gets worse",
    needs=[probe("turned"), REWARD_RANGE],
    after=[*UNPAID, "REW012"],
    level="warn",
)
def worse_before_better_pays(evidence: Evidence) -> Iterator[Hit]:
    """If the same calls in another order reach the same state, the return is the same.

    If each step forward has a reward and no step back has a cost, a policy learns to go back and
    forth (Ng, Harada and Russell 1999, on shaping).
    """
    compared = 0
    for several in grouped(attempts(evidence, "turned"), attrgetter("of")).values():
        whole = [
            each for each in several if not any(s.error or s.done for s in each.trajectory.steps)
        ]
        orders = [each for each in whole if each.change["turned"] == "order"]
        others = {_last(each) for each in whole if each.change["turned"] == "first"}
        if len(orders) < 2 or not others:
            continue
        compared += 1
        least, most = min(orders, key=total), max(orders, key=total)
        # Answers must depend on earlier calls; otherwise equal answers do not show equal states.
        alike = _last(least) == _last(most) and _last(least) not in others
        if alike and total(most) > total(least) + CLOSE and _idle(orders):
            message = (
                f"{describe(most)}, but {total(least):g} in the order {least.calls}, "
                "although both orders end in the same state"
            )
            yield seen_in(most, message)
            return
    if not compared:
        yield skip("no two orders of the same calls were accepted in full")


def _last(each: Attempt) -> str:
    return each.trajectory.steps[-1].text


def _idle(orders: list[Attempt]) -> bool:
    paid = {
        str((s.tool, s.arguments)) for each in orders for s in each.trajectory.steps if s.reward
    }
    return any(str((s.tool, s.arguments)) not in paid for s in orders[0].trajectory.steps[:-1])


CHECKS = (worse_before_better_pays,)
