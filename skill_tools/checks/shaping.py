"""REW: whether going back and forth is paid."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import check
from skill_tools.checks.exploits import BEFORE
from skill_tools.checks.rewards import CLOSE
from skill_tools.checks.tried import by_task, told, tried
from skill_tools.play.evidence import Evidence, Tried


@check(
    "REW024",
    "worse-before-better-pays",
    fix="pay for what is reached: the best so far, or the difference to the state before, less where it falls",
    needs=["explored", "reward_range"],
    after=[*BEFORE, "REW012"],
    level="warn",
)
def worse_before_better_pays(evidence: Evidence) -> Iterator[str]:
    """The same calls earn the same in another order that ends in the same place.

    Where each step up is paid and no step down costs, a policy learns to go down and up again
    (Ng, Harada and Russell 1999, on shaping).
    """
    for several in by_task(tried(evidence, "turned")).values():
        whole = [
            each for each in several if not any(s.error or s.done for s in each.trajectory.steps)
        ]
        orders = [each for each in whole if each.what == "order"]
        others = {_last(each) for each in whole if each.what == "exchanged"}
        if len(orders) < 2 or not others:
            continue
        least, most = min(orders, key=_total), max(orders, key=_total)
        # What is answered must tell what was done before, or a like answer is no like place.
        alike = _last(least) == _last(most) and _last(least) not in others
        if alike and most.trajectory.total > least.trajectory.total + CLOSE and _idle(orders):
            yield (
                f"{told(most)}, and in the order {least.calls} {least.trajectory.total:g}, "
                "though all answers say the same in the end"
            )
            return


def _last(each: Tried) -> str:
    return each.trajectory.steps[-1].text


def _idle(orders: list[Tried]) -> bool:
    """Whether some call earns nothing in any order."""
    paid = {
        str((s.tool, s.arguments)) for each in orders for s in each.trajectory.steps if s.reward
    }
    return any(str((s.tool, s.arguments)) not in paid for s in orders[0].trajectory.steps[:-1])


def _total(each: Tried) -> float:
    return each.trajectory.total or 0.0


CHECKS = (worse_before_better_pays,)
