"""AUD: whether anybody's environment is the same for the same, alone and beside others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from skill_tools.checks.check import Hit, Status, check, skip, warn
from skill_tools.checks.needs import AUDITED, OTHER_SEEDS, PLAYED, REPLAYED, SIDE_BY_SIDE
from skill_tools.checks.reading.episodes import cause, difference, named
from skill_tools.checks.reading.places import place_of
from skill_tools.checks.reading.variation import comparable
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Played, Trajectory

SHORTEST_ID = 8
"""Characters of an episode's id below which it may stand in a text by chance."""


@check(
    "AUD005",
    "replay-differs",
    fix="draw all randomness from the seed that a reset or a task gives",
    needs=[AUDITED, REPLAYED, PLAYED],
)
def replay_differs(evidence: Evidence) -> Iterator[Hit]:
    """The same task, seed and calls pay and end the same when played again, in another process.

    Otherwise a group of rollouts is not of one problem, and no failure can be looked at again. What
    merely reads otherwise is warned of, and so are episodes of one task and seed that open
    otherwise, whoever plays them, and a second reset in one session that does.
    """
    compared = list(_compared(evidence, evidence.replayed))
    yield from _differing(compared, evidence, "when played again")
    otherwise = _opened_otherwise(evidence)
    for first, other in otherwise.values():
        message = (
            f"{named(other)}: the prompt is another than that of {first.model} for the same task "
            "and seed"
        )
        yield warn(message, other, place_of(other))
    reported = set(otherwise)
    for trajectory in evidence.every:
        again = AUDITED.of(evidence).of(trajectory).get("reopened")
        if again is None or trajectory.label in reported:
            continue
        reported.add(trajectory.label)
        if _opening(evidence, trajectory) != _opening(evidence, trajectory, again):
            message = f"{named(trajectory)}: a second reset in one session opens otherwise, with the same seed"
            yield warn(message, trajectory, place_of(trajectory))
    if not compared and not reported:
        yield skip("nothing that was played again has a score both times")


@check(
    "AUD006",
    "seed-without-effect",
    fix="use the seed of reset; if there is no chance in this world, say so in its description",
    needs=[AUDITED, OTHER_SEEDS, PLAYED],
    after=["AUD005"],
    level="warn",
)
def seed_without_effect(evidence: Evidence) -> Iterator[Hit]:
    """Another seed gives another episode for the same calls, somewhere.

    A seed that is silently ignored is worse than none: a thousand rollouts are copies of one. An
    episode that differs with its own seed, too, shows nothing of that.
    """
    compared = list(_steady(evidence, evidence.other_seeds))
    if not compared:
        yield skip(
            "nothing that was played with another seed has a score and is steady with its own"
        )
    elif not any(difference(a, b, evidence.declaration) for a, b in compared):
        shown = compared[0][1]
        message = f"with another seed all {len(compared)} episodes were the same"
        yield Hit(message, shown, place_of(shown))


@check(
    "AUD007",
    "sessions-mixed",
    fix="keep all state on the instance that a session makes, none on the class or the module",
    needs=[AUDITED, SIDE_BY_SIDE, PLAYED],
    after=["AUD005"],
)
def sessions_mixed(evidence: Evidence) -> Iterator[Hit]:
    """Two sessions played in alternation are each as if played alone.

    A trainer holds many at once; what they share, one policy does to another.
    """
    failed = [each for each in _all(evidence.side_by_side) if each.end == "failed"]
    compared = list(_steady(evidence, evidence.side_by_side))
    if failed:
        yield skip(f"of two sessions one failed: {cause(failed[0])[:300]}")
    elif not compared:
        yield skip("nothing that was played beside another session has a score and is steady alone")
    else:
        yield from _differing(compared, evidence, "beside another session")


@check(
    "AUD008",
    "one-session-only",
    fix="allow more sessions (OpenEnv: SUPPORTS_CONCURRENT_SESSIONS and max_concurrent_envs)",
    needs=[AUDITED, SIDE_BY_SIDE, PLAYED],
    level="warn",
)
def one_session_only(evidence: Evidence) -> Iterator[Hit]:
    """A second session can be opened while the first is played.

    Group sampling plays several episodes of a task at once.
    """
    alone = {(t.label, cause(t)) for t in evidence.every if t.end == "failed"}
    failed = [each for each in _all(evidence.side_by_side) if each.end == "failed"]
    others = [each for each in failed if (each.label, cause(each)) not in alone]
    if others:
        message = f"of two sessions one failed: {cause(others[0])[:300]}"
        yield Hit(message, others[0], place_of(others[0]))
    elif failed:
        yield skip(f"what was played in two sessions fails alone, too: {cause(failed[0])[:300]}")


def _differing(
    compared: list[tuple[Trajectory, Trajectory]],
    evidence: Evidence,
    when: str,
) -> Iterator[Hit]:
    for before, after in compared:
        what = difference(before, after, evidence.declaration)
        if not what:
            continue
        message = f"{named(before)}: {what} differs {when}"
        level: Status | None = None
        if _outcome(before) == _outcome(after):
            message, level = f"{message}, and nothing that is paid", "warn"
        elif f"{before.total:g}" == f"{after.total:g}":
            message += f", and so do single rewards or the end: it paid {before.total:g} both times"
        else:
            message += f": it paid {before.total:g}, then {after.total:g}"
        yield Hit(message, after, place_of(after), level)


def _compared(evidence: Evidence, others: Played) -> Iterator[tuple[Trajectory, Trajectory]]:
    """Episodes that were played twice, and have a score both times."""
    first = {(t.model, t.label): t for t in evidence.every}
    for after in _all(others):
        before = first.get((after.model, after.label))
        if before and before.end != "failed" and after.end != "failed":
            yield before, after


def _steady(evidence: Evidence, others: Played) -> Iterator[tuple[Trajectory, Trajectory]]:
    """The same, except for tasks and seeds whose episodes differ by themselves."""
    unsteady = {
        before.label
        for before, after in _compared(evidence, evidence.replayed)
        if difference(before, after, evidence.declaration)
    }
    unsteady |= set(_opened_otherwise(evidence))
    return (pair for pair in _compared(evidence, others) if pair[0].label not in unsteady)


def _opened_otherwise(evidence: Evidence) -> dict[str, tuple[Trajectory, Trajectory]]:
    """By task and seed, the first episode and one that does not open in the same way."""
    first: dict[str, Trajectory] = {}
    found: dict[str, tuple[Trajectory, Trajectory]] = {}
    for trajectory in evidence.every:
        if trajectory.end == "failed":  # it may not have been opened at all
            continue
        before = first.setdefault(trajectory.label, trajectory)
        if _opening(evidence, before) != _opening(evidence, trajectory):
            found.setdefault(trajectory.label, (before, trajectory))
    return found


def _opening(evidence: Evidence, trajectory: Trajectory, prompt: Any = None) -> str:
    """The prompt, or another, without the id of the episode, of which each has its own."""
    shown = trajectory.prompt if prompt is None else prompt
    text = json.dumps(comparable(shown, evidence.declaration.varies))
    states = AUDITED.of(evidence).of(trajectory).get("states") or [{}]
    for name in ("asked", "episode_id"):
        identity = states[0].get(name)
        if isinstance(identity, str) and len(identity) >= SHORTEST_ID:
            text = text.replace(identity, "<episode>")
    return text


def _outcome(trajectory: Trajectory) -> tuple[Any, ...]:
    rewards = [(step.reward, step.done) for step in trajectory.steps]
    return rewards, trajectory.final_reward, trajectory.end


def _all(played: Played) -> Iterator[Trajectory]:
    return (t for by_label in played.values() for t in by_label.values())


CHECKS = (
    replay_differs,
    seed_without_effect,
    sessions_mixed,
    one_session_only,
)
