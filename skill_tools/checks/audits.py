"""AUD: whether anybody's environment pays for what was done, and the same for the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from skill_tools.checks.check import check, warn
from skill_tools.checks.played import cause, difference, named
from skill_tools.play.audited import filler_length, is_nonsense
from skill_tools.play.evidence import Evidence
from skill_tools.play.trajectory import Played, Trajectory

CLOSE = 1e-9
FEW = 3
"""Episodes of nonsense from which something is concluded."""


@check(
    "AUD001",
    "pays-for-anything",
    fix="make the reward depend on what the agent did; pay nothing for what means nothing",
    needs=["audited", "scored"],
    after=["EPI001"],
)
def pays_for_anything(evidence: Evidence) -> Iterator[str]:
    """Calls that mean nothing do not earn the most that anybody earned.

    Filler and broken calls are what a policy writes before it has learned anything. If they are
    paid in full, there is nothing to learn.
    """
    scored = [t for t in evidence.scored if t.model != "past_done"]
    best = max((t.total for t in scored), default=0.0)
    # What was refused is no more than right to earn nothing.
    nonsense = [t for t in scored if is_nonsense(t.model) and _played_a_call(t)]
    if best > 0 and len(nonsense) >= FEW and all(t.total >= best - CLOSE for t in nonsense):
        shown = min(nonsense, key=lambda each: len(each.steps))
        yield (
            f"{named(shown)}: {_said(shown)} earned {best:g}, the most that anybody earned, and so "
            f"did all {len(nonsense)} episodes of filler and broken calls"
        )


@check(
    "AUD002",
    "pays-by-length",
    fix="judge what a message says; where length matters, bound what it can earn below a solution",
    needs=["audited", "fillers", "scored"],
    after=["EPI001", "AUD001", "AUD005"],
)
def pays_by_length(evidence: Evidence) -> Iterator[str]:
    """Longer filler is not paid more than shorter filler.

    Length is the first thing that a policy learns to inflate.
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
        yield f"{named(max(several, key=_length)[1])}: filler earns by its length on {label}: {paid}"


@check(
    "AUD003",
    "reward-never-told",
    fix="set a reward on every step, at the latest on the one that ends the episode",
    needs=["audited", "scored"],
)
def reward_never_told(evidence: Evidence) -> Iterator[str]:
    """Some step, or the end, of some episode tells a reward.

    A trainer reads None as 0 or breaks; either way nothing is learned.
    """
    seen = [evidence.audited.of(t) for t in evidence.scored if _played_a_call(t)]
    if seen and not any(each.get("told") for each in seen):
        yield f"in {len(seen)} episodes with calls no reward was ever told, only None"


@check(
    "AUD004",
    "nobody-was-paid",
    fix="give a solution, so that it is known whether anything is ever paid",
    needs=["audited", "scored"],
    after=["AUD001", "AUD003"],
    level="note",
)
def nobody_was_paid(evidence: Evidence) -> Iterator[str]:
    """Somebody earned something, so that the reward can be judged.

    Without a solution, players who know nothing may never be paid: then whether the right actions
    are is not known.
    """
    totals = {t.total for t in evidence.scored}
    if len(totals) == 1 and max(totals) <= 0 and not evidence.audited.solved:
        yield f"all {len(evidence.scored)} episodes earned {max(totals):g}, and no solution was given"


@check(
    "AUD005",
    "replay-differs",
    fix="draw all randomness from the seed that a reset or a task gives",
    needs=["audited", "replayed", "played"],
    after=["EPI001"],
)
def replay_differs(evidence: Evidence) -> Iterator[str]:
    """The same task, seed and calls pay and end the same when played again, in another process.

    Otherwise a group of rollouts is not of one problem, and no failure can be looked at again. What
    merely reads otherwise is warned of.
    """
    yield from _differing(evidence, evidence.replayed, "when played again")


@check(
    "AUD006",
    "seed-without-effect",
    fix="use the seed of reset; if there is no chance in this world, say so in its description",
    needs=["audited", "other_seeds", "played"],
    after=["EPI001", "AUD005"],
    level="warn",
)
def seed_without_effect(evidence: Evidence) -> Iterator[str]:
    """Another seed gives another episode for the same calls, somewhere.

    A seed that is silently ignored is worse than none: a thousand rollouts are copies of one.
    """
    compared = list(_compared(evidence, evidence.other_seeds))
    if compared and not any(difference(a, b, evidence.declaration) for a, b in compared):
        yield f"with another seed all {len(compared)} episodes were the same"


@check(
    "AUD007",
    "sessions-mixed",
    fix="keep all state on the instance that a session makes, none on the class or the module",
    needs=["audited", "side_by_side", "played"],
    after=["EPI001", "AUD005"],
)
def sessions_mixed(evidence: Evidence) -> Iterator[str]:
    """Two sessions played in alternation are each as if played alone.

    A trainer holds many at once; what they share, one policy does to another.
    """
    yield from _differing(evidence, evidence.side_by_side, "beside another session")


@check(
    "AUD008",
    "one-session-only",
    fix="allow more sessions (OpenEnv: SUPPORTS_CONCURRENT_SESSIONS and max_concurrent_envs)",
    needs=["audited", "side_by_side", "played"],
    after=["EPI001"],
    level="warn",
)
def one_session_only(evidence: Evidence) -> Iterator[str]:
    """A second session can be opened while the first is played.

    Group sampling plays several episodes of a task at once.
    """
    for trajectory in _all(evidence.side_by_side):
        if trajectory.end == "failed":
            yield f"of two sessions one failed: {cause(trajectory)[:300]}"
            return


def _played_a_call(trajectory: Trajectory) -> bool:
    return any(step.error is None for step in trajectory.steps)


def _differing(evidence: Evidence, others: Played, when: str) -> Iterator[str]:
    for before, after in _compared(evidence, others):
        what = difference(before, after, evidence.declaration)
        if not what:
            continue
        message = f"{named(before)}: {what} differs {when}"
        if _outcome(before) == _outcome(after):
            yield warn(f"{message}, and nothing that is paid")
        else:
            yield f"{message}: it paid {before.total:g}, then {after.total:g}"


def _compared(evidence: Evidence, others: Played) -> Iterator[tuple[Trajectory, Trajectory]]:
    """Episodes that were played twice, and have a score both times."""
    first = {(t.model, t.label): t for t in evidence.every}
    for after in _all(others):
        before = first.get((after.model, after.label))
        if before and before.end != "failed" and after.end != "failed":
            yield before, after


def _outcome(trajectory: Trajectory) -> tuple[Any, ...]:
    rewards = [(step.reward, step.done) for step in trajectory.steps]
    return rewards, trajectory.final_reward, trajectory.end


def _all(played: Played) -> Iterator[Trajectory]:
    return (t for by_label in played.values() for t in by_label.values())


def _rising(paid: list[tuple[int, Trajectory]]) -> bool:
    totals = [trajectory.total for _, trajectory in paid]
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
    reward_never_told,
    nobody_was_paid,
    replay_differs,
    seed_without_effect,
    sessions_mixed,
    one_session_only,
)
