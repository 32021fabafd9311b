"""REW: whether what the steps pay adds up to what the domain means."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import check
from skill_tools.checks.played import named, scored
from skill_tools.checks.rewards import CLOSE
from skill_tools.play.evidence import Evidence


@check(
    "REW018",
    "reward-of-the-last-call",
    fix="let `reward` be what the episode has earned so far: add to it, do not set it anew",
    needs=["scored", "reward_range"],
    plays=["oracle"],
    after=["DET001", "ISO001", "EPI001", "REW001"],
)
def reward_of_the_last_call(evidence: Evidence) -> Iterator[str]:
    """The domain's `reward` is what the episode has earned so far, not what the last call earned.

    Variants pay the difference between two calls, so what was earned before is taken back.
    """
    low, high = evidence.declaration.reward_range
    for trajectory in scored(evidence, "oracle"):
        if trajectory.total >= high - CLOSE:
            continue
        paid = [step.reward for step in trajectory.steps]
        back = next(
            (n for n, each in enumerate(paid) if each < -CLOSE and sum(paid[:n]) > CLOSE), 0
        )
        if back and abs(sum(paid[: back + 1])) <= CLOSE:
            yield (
                f"{named(trajectory)}: step {back + 1} took back the {-paid[back]:g} that were "
                f"earned before; the return is {trajectory.total:g} of {high:g}"
            )
            continue
        earned = [step for step in trajectory.steps if abs(step.reward) > CLOSE]
        shares = (high - min(low, 0.0)) / trajectory.total if trajectory.total > CLOSE else 0.0
        alike = len(earned) == 1 and 2 <= round(shares) <= len(trajectory.steps)
        if alike and abs(shares - round(shares)) <= CLOSE:
            yield (
                f"{named(trajectory)}: only one call paid, {trajectory.total:g}, which is {high:g} by "
                f"{round(shares)}: was `reward` set to the same again, where it should have grown?"
            )


CHECKS = (reward_of_the_last_call,)
