"""REW: whether the rewards of the steps add up to the total that the domain intends."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import Hit, check
from skill_tools.checks.needs import NO_LUCK, REWARD_RANGE, SCORED
from skill_tools.checks.reading.episodes import named, scored
from skill_tools.checks.reading.probed import (
    CLOSE,
    bests_of,
    seen_in,
    task_of,
)
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import return_of


@check(
    "REW018",
    "reward-of-the-last-call",
    fix="make `reward` the episode's total so far: add to it, do not replace it",
    needs=[SCORED, REWARD_RANGE, NO_LUCK],
    plays=["oracle"],
    after=["REW001"],
    stage="consequence",
)
def reward_of_the_last_call(evidence: Evidence) -> Iterator[Hit]:
    """The domain's `reward` is the episode's total so far, not the reward of the last call.

    Variants report the change of `reward` between two calls, so resetting `reward` takes back earlier reward.
    """
    (low, top), bests = REWARD_RANGE.of(evidence), bests_of(evidence)
    for trajectory in scored(evidence, "oracle"):
        total, high = return_of(trajectory), bests.get(task_of(trajectory), top)
        if total >= high - CLOSE:
            continue
        paid = [step.reward for step in trajectory.steps]
        back = next(
            (n for n, each in enumerate(paid) if each < -CLOSE and sum(paid[:n]) > CLOSE), 0
        )
        if back and abs(sum(paid[: back + 1])) <= CLOSE:
            message = (
                f"{named(trajectory)}: step {back + 1} took back the {-paid[back]:g} that was "
                f"earned before; the return is {total:g} of {high:g}"
            )
            yield seen_in(trajectory, message, tool=trajectory.steps[back].tool)
            continue
        if evidence.declaration.reward_timing == "terminal":
            continue  # a single reward at the end is what it promises
        earned = [step for step in trajectory.steps if abs(step.reward) > CLOSE]
        shares = (high - min(low, 0.0)) / total if total > CLOSE else 0.0
        alike = len(earned) == 1 and 2 <= round(shares) <= len(trajectory.steps)
        if alike and abs(shares - round(shares)) <= CLOSE:
            message = (
                f"{named(trajectory)}: only one call was rewarded, {total:g}, which is {high:g} "
                f"divided by {round(shares)}: does the code set `reward` to the same value again "
                "instead of adding to it?"
            )
            yield seen_in(trajectory, message, tool=earned[0].tool)


CHECKS = (reward_of_the_last_call,)
