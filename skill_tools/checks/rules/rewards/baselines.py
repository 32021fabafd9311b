"""REW: whether the reward is what the spec declares, and tells good play from bad."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from skill_tools.checks.check import Hit, check
from skill_tools.checks.needs import (
    NO_LUCK,
    PAID_AT_THE_END,
    PLAYED,
    REFUSALS,
    REWARD_RANGE,
    REWARD_TIMING,
    SCORED,
)
from skill_tools.checks.reading.episodes import named, scored
from skill_tools.checks.reading.probed import CLOSE, bests_of, seen_in, task_of
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import return_of

RANDOM_SHARE = 0.9
"""A random policy that earns this share of the oracle's mean return leaves nothing to learn."""


@check(
    "REW001",
    "reward-out-of-range",
    fix="scale the reward in the domain, or declare the true reward.range",
    needs=[SCORED, REWARD_RANGE],
    trusts="runs",
)
def reward_out_of_range(evidence: Evidence) -> Iterator[Hit]:
    """Every return lies in reward.range.

    Frameworks normalise by the declared range; a return outside it distorts every advantage.
    """
    low, high = REWARD_RANGE.of(evidence)
    for trajectory in evidence.scored:
        if not low - CLOSE <= return_of(trajectory) <= high + CLOSE:
            message = f"return {trajectory.total:g} is not in [{low:g}, {high:g}]"
            yield seen_in(trajectory, f"{named(trajectory)}: {message}")


@check(
    "REW002",
    "oracle-below-maximum",
    fix="mend the oracle, or the task that cannot be solved; where the most differs by task say reward.best: by_task and "
    "write best(task, seed), where luck decides say reward.best: luck",
    needs=[SCORED, REWARD_RANGE, NO_LUCK],
    plays=["oracle"],
    after=["EPI010", "REW001", "REW003", "REW018", "REW020", "REW027", "AUD005"],
    stage="consequence",
)
def oracle_below_maximum(evidence: Evidence) -> Iterator[Hit]:
    """The oracle earns the top of reward.range on every task, or what is said to be the task's best.

    It is the proof that every task can be solved and that the reward is reachable. A smaller range would
    hide that a task pays less than it could.
    """
    top, bests = REWARD_RANGE.of(evidence)[1], bests_of(evidence)
    for trajectory in scored(evidence, "oracle"):
        high = bests.get(task_of(trajectory), top)
        if return_of(trajectory) < high - CLOSE:
            message = f"{named(trajectory)}: return {trajectory.total:g} of {high:g}"
            yield seen_in(trajectory, message)


@check(
    "REW003",
    "constant-reward",
    fix="make the reward depend on what the agent does",
    needs=[SCORED],
    plays=["oracle", "noop"],
    after=["EPI002", "REW001", "REW018"],
)
def constant_reward(evidence: Evidence) -> Iterator[Hit]:
    """The oracle and a policy that does nothing do not earn the same on every task.

    A constant reward has no gradient: nothing the agent does is worth learning.
    """
    idle = {(t.framework, t.label): t for t in scored(evidence, "noop")}
    solved = {(t.framework, t.label): t for t in scored(evidence, "oracle")}
    pairs = [(solved[episode], idle[episode]) for episode in solved if episode in idle]
    if pairs and all(abs(return_of(best) - return_of(least)) <= CLOSE for best, least in pairs):
        message = f"doing nothing earns what the solution earns on all {len(pairs)} tasks"
        yield Hit(message, pairs[0][0])


@check(
    "REW004",
    "idle-policy-paid",
    fix="pay for results only; leave an untouched world at the bottom of reward.range, or at 0",
    needs=[SCORED, REWARD_RANGE],
    plays=["noop", "malformed"],
    after=["REW001", "REW003"],
)
def idle_policy_paid(evidence: Evidence) -> Iterator[Hit]:
    """A policy that does nothing, or only breaks the schemas, is paid nothing.

    Nothing is the bottom of reward.range, or 0 where the range has penalties below it. More than
    that pays the agent for showing up, and a policy finds it first.
    """
    least, most = REWARD_RANGE.of(evidence)
    low = max(least, min(0.0, most))
    for policy in ("noop", "malformed", "turn_limit"):
        for trajectory in scored(evidence, policy):
            if return_of(trajectory) > low + CLOSE:
                message = f"return {trajectory.total:g}, nothing is {low:g}"
                yield seen_in(trajectory, f"{named(trajectory)}: {message}")


@check(
    "REW005",
    "random-policy-paid",
    fix="make the tasks harder, or the reward stricter",
    needs=[SCORED, REWARD_RANGE, NO_LUCK],
    plays=["oracle", "random"],
    after=["REW001", "REW002", "REW003", "REW018"],
    stage="consequence",
)
def random_policy_paid(evidence: Evidence) -> Iterator[Hit]:
    """A random policy earns clearly less than the oracle on average.

    Where luck is enough there is nothing to learn.
    """
    low = REWARD_RANGE.of(evidence)[0]
    best = [return_of(trajectory) - low for trajectory in scored(evidence, "oracle")]
    luck = [return_of(trajectory) - low for trajectory in scored(evidence, "random")]
    if best and luck and fmean(luck) >= RANDOM_SHARE * fmean(best) > 0:
        won = max(scored(evidence, "random"), key=lambda each: (each.total, -len(each.steps)))
        share = f"{fmean(luck):.2f} of the oracle's {fmean(best):.2f} above the least"
        yield Hit(f"random play earns {share}; {named(won)} earned {won.total:g}", won)


@check(
    "REW006",
    "wrong-timing",
    fix="pay when reward.timing says, or declare the true timing",
    needs=[PLAYED, REWARD_TIMING, PAID_AT_THE_END],
    after=["EPI002", "REW007", "REW018"],
    stage="exploit",
)
def wrong_timing(evidence: Evidence) -> Iterator[Hit]:
    """Reward comes when reward.timing says: terminal and post_episode pay only at the end.

    Trainers drop or mis-assign reward that comes where they do not look for it.
    """
    held = _held(evidence)
    for trajectory in evidence.every:
        for number, step in enumerate(trajectory.steps, 1):
            if number == 1 and step.reward == held.get((trajectory.framework, trajectory.label)):
                continue
            if step.reward and not step.done:
                message = f"step {number} paid {step.reward:g} before the end"
                yield seen_in(trajectory, f"{named(trajectory)}: {message}", tool=step.tool)
                break


@check(
    "REW007",
    "refused-call-paid",
    fix="raise InvalidAction before anything is changed, the reward included",
    needs=[PLAYED, REFUSALS],
    plays=["malformed"],
    after=["REW004"],
)
def refused_call_paid(evidence: Evidence) -> Iterator[Hit]:
    """A call that was refused pays nothing and costs nothing, unless it ends the episode.

    A policy finds the mistake that pays, and repeats it.
    """
    held = _held(evidence)
    for trajectory in evidence.every:
        for number, step in enumerate(trajectory.steps, 1):
            if number == 1 and step.reward == held.get((trajectory.framework, trajectory.label)):
                continue
            if step.error and step.reward and not step.done:
                message = f"step {number} ({step.error}) paid {step.reward:g}"
                yield seen_in(trajectory, f"{named(trajectory)}: {message}", tool=step.tool)
                break


def _held(evidence: Evidence) -> dict[tuple[str, str], float]:
    """What each world holds from the beginning: it is paid with the first call, whatever that is."""
    idle = [t for t in evidence.scored if t.model == "noop"]
    return {(t.framework, t.label): return_of(t) for t in idle if return_of(t) < 0}


CHECKS = (
    reward_out_of_range,
    oracle_below_maximum,
    constant_reward,
    idle_policy_paid,
    random_policy_paid,
    wrong_timing,
    refused_call_paid,
)
