"""AUD: whether the same seed and calls repeat an episode, alone and next to other sessions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from skill_tools.checks.check import Check, Hit, check, place_of, skip
from skill_tools.checks.needs import AUDITED, OTHER_SEEDS, PLAYED, REPLAYED, SIDE_BY_SIDE
from skill_tools.checks.reading.episodes import cause, difference
from skill_tools.checks.reading.variation import IDENTITY, comparable
from skill_tools.checks.tables.relations import Difference, Pair, Relation, episode, related
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Played, Trajectory

SHORTEST_ID = 8
"""Minimum length of an episode id that does not occur in a text by chance."""


def _played_again(evidence: Evidence) -> Iterator[Pair]:
    """Yield episodes paired with their repetition in another process."""
    return _compared(evidence, evidence.audit.replayed)


def _opened_again(evidence: Evidence) -> Iterator[Pair]:
    """Yield pairs of episodes with the same task and seed whose openings differ, even if played by different
    policies."""
    return (Pair(*each) for each in _opened_otherwise(evidence).values())


def _reset_again(evidence: Evidence) -> Iterator[Pair]:
    """Yield, for each task, an episode's opening and the opening after a second reset in the same session."""
    reported = set(_opened_otherwise(evidence))
    for trajectory in evidence.every:
        again = AUDITED.of(evidence).of(trajectory).get("reopened")
        if again is not None and trajectory.label not in reported:
            reported.add(trajectory.label)
            yield Pair(trajectory.model_copy(update={"prompt": again}), trajectory)


def _with_other_seeds(evidence: Evidence) -> Iterator[Pair]:
    return _steady(evidence, evidence.audit.other_seeds)


def _beside(evidence: Evidence) -> Iterator[Pair]:
    """Yield episodes played alone, each paired with the same episode played while another session was open.

    There are no pairs if any episode failed while another session was open.
    """
    failed = any(each.end == "failed" for each in _all(evidence.audit.side_by_side))
    return iter(()) if failed else _steady(evidence, evidence.audit.side_by_side)


def _none_beside(evidence: Evidence) -> str:
    for each in _all(evidence.audit.side_by_side):
        if each.end == "failed":
            return f"one of two sessions failed: {cause(each)[:300]}"
    return "no episode that ran in parallel with another session has a score and is deterministic on its own"


def _outcome(evidence: Evidence, each: Pair) -> Difference | None:
    """Return the difference between two runs of an episode, and whether their rewards differ as well."""
    if not (found := episode(evidence, each)):
        return None
    before, after = each.first, each.again
    if _paid(before) == _paid(after):
        told = evidence.declaration
        if not difference(
            before, after, told.model_copy(update={"varies": [*told.varies, IDENTITY]})
        ):
            return Difference(
                found.what, ", but only in random identifiers; the rewards agree", level="note"
            )
        return Difference(found.what, ", but the rewards agree", level="warn")
    if f"{before.total:g}" == f"{after.total:g}":
        same = f"the return was {before.total:g} both times"
        return Difference(
            found.what, f", and so do the step rewards or the end of the episode; {same}"
        )
    return Difference(found.what, f": the return was {before.total:g}, then {after.total:g}")


def _paid(trajectory: Trajectory) -> tuple[Any, ...]:
    rewards = [(step.reward, step.done) for step in trajectory.steps]
    return rewards, trajectory.final_reward, trajectory.end


def _prompt(_: Evidence, each: Pair) -> Difference:
    words = f"the prompt differs from that of {each.first.model} for the same task and seed"
    return Difference(words, level="warn")


def _reset(evidence: Evidence, each: Pair) -> Difference | None:
    if _opening(evidence, each.first) == _opening(evidence, each.again):
        return None
    words = "a second reset in the same session, with the same seed, opens differently"
    return Difference(words, level="warn")


@check(
    "AUD008",
    "one-session-only",
    shows="session-fails",
    criteria=("runtime.episode_isolation",),
    fix="allow concurrent sessions (in OpenEnv, set SUPPORTS_CONCURRENT_SESSIONS and max_concurrent_envs)",
    needs=[AUDITED, SIDE_BY_SIDE, PLAYED],
    level="warn",
)
def one_session_only(evidence: Evidence) -> Iterator[Hit]:
    """A second session can be opened while the first session is in progress.

    Group sampling plays several episodes of a task concurrently.
    """
    alone = {(t.label, cause(t)) for t in evidence.every if t.end == "failed"}
    failed = [each for each in _all(evidence.audit.side_by_side) if each.end == "failed"]
    others = [each for each in failed if (each.label, cause(each)) not in alone]
    if others:
        message = f"one of two sessions failed: {cause(others[0])[:300]}"
        yield Hit(message, others[0], place_of(others[0]))
    elif failed:
        yield skip(
            f"the calls that failed in two sessions also fail in one: {cause(failed[0])[:300]}"
        )


def _compared(evidence: Evidence, others: Played) -> Iterator[Pair]:
    """Yield each episode with its second run in ``others``, if neither run failed."""
    first = {(t.model, t.label): t for t in evidence.every}
    for after in _all(others):
        before = first.get((after.model, after.label))
        if before and before.end != "failed" and after.end != "failed":
            yield Pair(before, after)


def _steady(evidence: Evidence, others: Played) -> Iterator[Pair]:
    """Yield the pairs of ``_compared``, except for tasks and seeds whose episodes differ even when played alone."""
    again = _compared(evidence, evidence.audit.replayed)
    unsteady = {each.first.label for each in again if episode(evidence, each)}
    unsteady |= set(_opened_otherwise(evidence))
    return (pair for pair in _compared(evidence, others) if pair.first.label not in unsteady)


def _opened_otherwise(evidence: Evidence) -> dict[str, tuple[Trajectory, Trajectory]]:
    """For each label (task and seed) with differing openings, return two episodes that open differently."""
    first: dict[str, Trajectory] = {}
    found: dict[str, tuple[Trajectory, Trajectory]] = {}
    for trajectory in evidence.every:
        if trajectory.end == "failed":  # it may not have opened
            continue
        before = first.setdefault(trajectory.label, trajectory)
        if _opening(evidence, before) != _opening(evidence, trajectory):
            found.setdefault(trajectory.label, (before, trajectory))
    return found


def _opening(evidence: Evidence, trajectory: Trajectory) -> str:
    """Return the prompt as text, without the episode's id, which always differs."""
    text = json.dumps(comparable(trajectory.prompt, evidence.declaration.varies))
    states = AUDITED.of(evidence).of(trajectory).get("states") or [{}]
    for name in ("asked", "episode_id"):
        identity = states[0].get(name)
        if isinstance(identity, str) and len(identity) >= SHORTEST_ID:
            text = text.replace(identity, "<episode>")
    return text


def _all(played: Played) -> Iterator[Trajectory]:
    return (t for by_label in played.values() for t in by_label.values())


CHECKS = (
    Check(
        "AUD005",
        "replay-differs",
        partial(
            related,
            (
                Relation(
                    _played_again,
                    (_outcome,),
                    "{who}: {what} differs between two runs{more} ({often})",
                    nothing="no repeated episode has a score both times",
                ),
                Relation(_opened_again, (_prompt,)),
                Relation(_reset_again, (_reset,)),
            ),
        ),
        fix="draw all randomness from the seed given by the reset or the task",
        needs=(AUDITED, REPLAYED, PLAYED),
        says="""The same task, seed and calls give the same rewards and ending when replayed in another process.

        Otherwise the rollouts in a group do not share one problem, and no failure can be reproduced. If only the text
        differs, the check warns. It also warns if two episodes of the same task and seed open differently, or if a
        second reset changes the opening.
        """,
        shows="episode-differs",
        criteria=(
            "runtime.episode_determinism",
            "semantic.verifier_determinism",
            "semantic.replayability",
        ),
    ),
    Check(
        "AUD006",
        "seed-without-effect",
        partial(
            related,
            (
                Relation(
                    _with_other_seeds,
                    (episode,),
                    "with another seed all {count} episodes were identical, {often}",
                    must="differ somewhere",
                    nothing="no episode repeated with another seed has a score and is "
                    "deterministic with its original seed",
                ),
            ),
        ),
        fix="use the seed passed to reset; if this world is deterministic, say so in its description",
        needs=(AUDITED, OTHER_SEEDS, PLAYED),
        after=("AUD005",),
        level="warn",
        says="""If the seed changes and the calls stay the same, at least one episode changes.

        If a seed is silently ignored, a thousand rollouts are copies of a single rollout. If an episode also differs
        when its own seed is repeated, the difference does not show that seeds have an effect.
        """,
        shows="seed-ignored",
        criteria=("runtime.seed_control",),
    ),
    Check(
        "AUD007",
        "sessions-mixed",
        partial(
            related,
            (
                Relation(
                    _beside,
                    (_outcome,),
                    "{who}: {what} differs if another session is open{more} ({often})",
                    nothing=_none_beside,
                ),
            ),
        ),
        fix="keep all state on the instance that a session creates, not on the class or the module",
        needs=(AUDITED, SIDE_BY_SIDE, PLAYED),
        after=("AUD005",),
        says="""Two interleaved sessions each behave as if played alone.

        A trainer keeps many sessions open at once. If sessions share state, one rollout affects another.
        """,
        shows="session-mixed",
        criteria=("runtime.episode_isolation",),
    ),
    one_session_only,
)
