"""REW: whether the reward matches the spec and separates good play from bad."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter
from statistics import fmean

from skill_tools.checks.check import Check, Hit, check
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
from skill_tools.checks.reading.probed import CLOSE, seen_in
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Step, return_of

RANDOM_SHARE = 0.9
"""Share of the oracle's mean return from which a random policy leaves nothing to learn."""

CHECK_SOLUTION = (
    "play the solution by hand, and compare its calls and its last message with what the reward reads; "
    "only if it is right, make the reward depend on what the agent does"
)


@check(
    "REW003",
    "constant-reward",
    fix="make the reward depend on what the agent does",
    needs=[SCORED],
    plays=["oracle", "noop"],
    after=["EPI002", "REW001", "REW018"],
)
def constant_reward(evidence: Evidence) -> Iterator[Hit]:
    """The oracle and a policy that does nothing have different returns on some task.

    A constant reward has no gradient: nothing the agent does is worth learning.
    """
    idle = {(t.framework, t.label): t for t in scored(evidence, "noop")}
    solved = {(t.framework, t.label): t for t in scored(evidence, "oracle")}
    pairs = [(solved[episode], idle[episode]) for episode in solved if episode in idle]
    if pairs and all(abs(return_of(best) - return_of(least)) <= CLOSE for best, least in pairs):
        best = pairs[0][0]
        most = max(return_of(each) for each, _ in pairs)
        message = f"doing nothing earns as much as the solution on all {len(pairs)} tasks"
        if evidence.audit.audited is None or most > CLOSE:
            yield Hit(message, best)
            return
        # The author of a solution for somebody else's environment may be wrong, too.
        other = any(return_of(each) > most + CLOSE for each in evidence.scored)
        why = (
            "others earned more, so this is not a solution"
            if other
            else ("probably this is not a solution; otherwise the reward is constant")
        )
        yield Hit(f"{message}, which is {most:g}: {why}", best, level="warn", fix=CHECK_SOLUTION)


@check(
    "REW005",
    "random-policy-paid",
    fix="make the tasks harder or the reward stricter",
    needs=[SCORED, REWARD_RANGE, NO_LUCK],
    plays=["oracle", "random"],
    after=["REW001", "REW002", "REW003", "REW018"],
    stage="consequence",
)
def random_policy_paid(evidence: Evidence) -> Iterator[Hit]:
    """A random policy has a clearly lower mean return than the oracle.

    If luck is enough to earn the reward, there is nothing to learn.
    """
    low = REWARD_RANGE.of(evidence)[0]
    best = [return_of(trajectory) - low for trajectory in scored(evidence, "oracle")]
    luck = [return_of(trajectory) - low for trajectory in scored(evidence, "random")]
    if best and luck and fmean(luck) >= RANDOM_SHARE * fmean(best) > 0:
        won = max(scored(evidence, "random"), key=lambda each: (each.total, -len(each.steps)))
        share = f"{fmean(luck):.2f} of the oracle's {fmean(best):.2f} above the minimum"
        yield Hit(f"random play earns {share}; {named(won)} earned {won.total:g}", won)


def paid_steps(unwanted: Callable[[Step], object], words: str, evidence: Evidence) -> Iterator[Hit]:
    """For each episode, yield a hit for the first call with an unwanted reward. The call must precede the end."""
    held = _held(evidence)
    for trajectory in evidence.every:
        for number, step in enumerate(trajectory.steps, 1):
            if number == 1 and step.reward == held.get((trajectory.framework, trajectory.label)):
                continue
            if step.reward and not step.done and unwanted(step):
                message = words.format(number=number, error=step.error, paid=f"{step.reward:g}")
                yield seen_in(trajectory, f"{named(trajectory)}: {message}", tool=step.tool)
                break


def _held(evidence: Evidence) -> dict[tuple[str, str], float]:
    """Return, by framework and label, the negative return of an episode in which the agent does nothing.

    The first call reports this return, whatever the call is.
    """
    idle = [t for t in evidence.scored if t.model == "noop"]
    return {(t.framework, t.label): return_of(t) for t in idle if return_of(t) < 0}


CHECKS = (
    constant_reward,
    random_policy_paid,
    Check(
        "REW006",
        "wrong-timing",
        partial(paid_steps, attrgetter("reward"), "step {number} earned {paid} before the end"),
        fix="give the reward at the time that reward.timing declares, or declare the actual timing",
        needs=(PLAYED, REWARD_TIMING, PAID_AT_THE_END),
        after=("EPI002", "REW007", "REW018"),
        stage="exploit",
        says="""Rewards arrive as reward.timing declares: terminal and post_episode rewards only at the end.

        Trainers drop or mis-assign reward that comes at an unexpected step.
        """,
    ),
    Check(
        "REW007",
        "refused-call-paid",
        partial(paid_steps, attrgetter("error"), "step {number} ({error}) earned {paid}"),
        fix="raise InvalidAction before changing anything, including the reward",
        needs=(PLAYED, REFUSALS),
        plays=("malformed",),
        after=("REW004",),
        says="""A refused call neither earns nor costs reward, unless it ends the episode.

        Otherwise a policy finds the rewarded mistake and repeats it.
        """,
    ),
)
