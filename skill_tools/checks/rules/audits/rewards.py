"""AUD: whether an environment's rewards depend on the agent's actions, and whether the rewards are reported."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from skill_tools.checks.check import Hit, check, note, place_of, skip
from skill_tools.checks.needs import AUDITED, FILLERS, SCORED
from skill_tools.checks.reading.episodes import named
from skill_tools.checks.reading.probed import on_tasks
from skill_tools.checks.reading.texts import stands_in
from skill_tools.evidence.audited import AFTER_END, NONSENSE, filler_length, is_nonsense
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Step, Trajectory, return_of

CLOSE = 1e-9
FEW = 3
"""Minimum number of meaningless episodes to conclude from."""
NEARLY_ALL = 0.9
"""Share of calls that must earn the same: a made-up word may mean something by chance."""
INVENTED = re.compile(r"[a-z]{1,200}")
"""A word that a random player makes up if nothing says what to write."""
NO_CALL = "no call was accepted: all were refused or failed, or no policy made a call"


@check(
    "AUD001",
    "pays-for-anything",
    shows="episode-rewarded",
    fix="make the reward depend on what the agent did; give no reward for meaningless calls",
    needs=[AUDITED, SCORED],
    # After the wrong replies that a grader rewards, which show why.
    stage="consequence",
)
def pays_for_anything(evidence: Evidence) -> Iterator[Hit]:
    """A player who makes meaningless calls does not get the highest return of all players.

    Before a policy has learned anything, it writes filler, broken calls and made-up words. If all of these get the full
    reward, there is nothing to learn.
    """
    scored = [t for t in evidence.scored if t.model not in AFTER_END]
    best = max(map(return_of, scored), default=0.0)
    # Refused calls rightly have no reward.
    nonsense = [t for t in scored if is_nonsense(t.model) and played_a_call(t)]
    if best > 0 and len(nonsense) >= FEW and all(return_of(t) >= best - CLOSE for t in nonsense):
        shown = min(nonsense, key=lambda each: len(each.steps))
        message = (
            f"{named(shown)}: {_said(shown)} earned {best:g}, the highest return of all, and so "
            f"did all {len(nonsense)} episodes of filler and broken calls, "
            f"{on_tasks(nonsense, scored)}"
        )
        judged = AUDITED.of(evidence).of(shown).get("judged")
        # A stand-in answers for a judge model, and knows little.
        yield (note if judged else Hit)(message, shown, place_of(shown))
    elif not AUDITED.of(evidence).solved:
        # A solution would show whether more is possible than each call's reward.
        yield from _paid_call_by_call(evidence, scored)
    elif len(nonsense) < FEW:
        yield skip(f"a call was accepted in fewer than {FEW} episodes of filler and broken calls")


@check(
    "AUD002",
    "pays-by-length",
    shows="filler-rises",
    fix="judge the content of a message; if length matters, cap its reward below that of a solution",
    needs=[AUDITED, FILLERS, SCORED],
    after=["AUD001", "AUD005"],
)
def pays_by_length(evidence: Evidence) -> Iterator[Hit]:
    """Longer meaningless text does not earn more than shorter meaningless text.

    If length is rewarded, a policy first learns to write longer replies.
    """
    by_task: dict[str, list[tuple[int, Trajectory]]] = {}
    for trajectory in evidence.fillers:
        if trajectory.total is not None:
            pair = (filler_length(trajectory.model) or 0, trajectory)
            by_task.setdefault(trajectory.label, []).append(pair)
    rising = [_rising(sorted(each, key=lambda pair: pair[0])) for each in by_task.values()]
    if rising and all(rising):
        label, several = next(iter(by_task.items()))
        paid = ", ".join(f"{n} characters {t.total:g}" for n, t in sorted(several, key=_length))
        longest = max(several, key=_length)[1]
        many = on_tasks((t for each in by_task.values() for _, t in each), evidence.every)
        message = f"{named(longest)}: the reward for filler grows with its length on {label}: {paid} ({many})"
        yield Hit(message, longest, place_of(longest))
    elif not any(len(each) >= FEW for each in by_task.values()):
        yield skip(f"on no task does filler of {FEW} lengths have a return")


@check(
    "AUD003",
    "reward-never-reported",
    shows="no-reward",
    fix="set a reward on every step, or at least on the step that ends the episode",
    needs=[AUDITED, SCORED],
    trusts="nothing",
)
def reward_never_reported(evidence: Evidence) -> Iterator[Hit]:
    """In at least one played episode, a step or the end reports a reward.

    If the reward is None, a trainer reads it as 0 or crashes, and nothing is learned.
    """
    played = [each for each in evidence.scored if played_a_call(each)]
    seen = [AUDITED.of(evidence).of(each) for each in played]
    if not seen:
        yield skip(NO_CALL)
    elif not any(each.get("rewarded") for each in seen):
        many = on_tasks(played, evidence.every)
        message = f"in {len(seen)} episodes with calls, {many}, every step had the reward None"
        yield Hit(message, played[0], place_of(played[0]))


@check(
    "AUD004",
    "nobody-was-paid",
    fix="provide a solution, to confirm that some reply is rewarded",
    needs=[AUDITED, SCORED],
    after=["AUD001", "AUD003"],
    trusts="nothing",
    level="note",
)
def nobody_was_paid(evidence: Evidence) -> Iterator[Hit]:
    """At least one player gets a reward, so that the audit can judge rewards.

    If no solution is given, all players act without knowledge and may never get a reward. It is then unknown whether
    the right actions are rewarded. A negative return does not count as a reward, even if it is the highest return.
    """
    totals = {return_of(t) for t in evidence.scored}
    if max(totals) <= 0 and not AUDITED.of(evidence).solved:
        most = "" if len(totals) == 1 else "at most "
        shown = max(evidence.scored, key=return_of)
        many = f"{len(evidence.scored)} episodes, {on_tasks(evidence.scored, evidence.every)},"
        message = f"all {many} earned {most}{max(totals):g}, and no solution was given"
        yield Hit(message, shown, place_of(shown))


def played_a_call(trajectory: Trajectory) -> bool:
    """Return whether any call of an episode was accepted."""
    return any(step.error is None for step in trajectory.steps)


def _paid_call_by_call(evidence: Evidence, scored: list[Trajectory]) -> Iterator[Hit]:
    """Yield a hit if nearly all meaningless calls of a kind get the highest reward of any call."""
    most = max((paid for t in scored for paid in (t.final_reward, *_rewards(t))), default=0.0)
    known = json.dumps(evidence.declaration.tools)
    for policy in ("random", *NONSENSE):
        calls = [
            (trajectory, step)
            for trajectory in scored
            for step in trajectory.steps
            if trajectory.model == policy and step.error is None
            if policy != "random" or _is_invented(step, f"{known} {trajectory.opening}")
        ]
        episodes = {trajectory.label for trajectory, _ in calls}
        paid = [step for _, step in calls if step.reward >= most - CLOSE]
        again = len(calls) >= 2 * len(episodes)  # a reward for one call may end the episode
        if most > 0 and len(episodes) >= FEW and again and len(paid) >= NEARLY_ALL * len(calls):
            what = "of invented words" if policy == "random" else "that break the schemas"
            shown, step = calls[0]
            message = (
                f"{named(shown)}: of {len(calls)} calls {what} {len(paid)} earned {most:g} "
                f"each, the highest reward of any call, {on_tasks((t for t, _ in calls), scored)}"
            )
            yield Hit(message, shown, place_of(shown, step))
            return


def _is_invented(step: Step, known: str) -> bool:
    """Return whether all arguments of a random player's call are made-up words."""
    said: list[Any] = list(step.arguments.values()) if isinstance(step.arguments, dict) else []
    made_up = (isinstance(each, str) and INVENTED.fullmatch(each) for each in said)
    return bool(said) and all(made_up) and not any(stands_in(each, known) for each in said)


def _rewards(trajectory: Trajectory) -> list[float]:
    return [step.reward for step in trajectory.steps]


def _rising(paid: list[tuple[int, Trajectory]]) -> bool:
    totals = [return_of(trajectory) for _, trajectory in paid]
    return (
        len(totals) >= FEW
        and all(a <= b + CLOSE for a, b in pairwise(totals))
        and totals[0] < totals[-1]
    )


def _length(pair: tuple[int, Trajectory]) -> int:
    return pair[0]


def _said(trajectory: Trajectory) -> str:
    length = filler_length(trajectory.model)
    return "broken calls" if length is None else f"{length} characters of filler"


CHECKS = (
    pays_for_anything,
    pays_by_length,
    reward_never_reported,
    nobody_was_paid,
)
