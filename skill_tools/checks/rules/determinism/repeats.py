"""DET001 to 005: whether (task, seed) is one problem, and the seed is what varies it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from skill_tools.checks.check import Hit, Place, Status, check, skip
from skill_tools.checks.needs import (
    REFERENCE,
    REPEAT,
    RESEEDED,
    SEED_USED,
    TASKS,
    UNUSED_SEED,
    USED_SEED,
)
from skill_tools.checks.reading.episodes import cause, difference, named
from skill_tools.checks.reading.probed import seen_in, top_of
from skill_tools.evidence.evidence import Evidence


@check(
    "DET001",
    "not-repeatable",
    fix="draw all randomness from random.Random(seed); never use time, hash() or set order; "
    "declare under `varies` what a real program prints differently each time",
    needs=[REFERENCE, REPEAT],
    after=["DET005"],
    trusts="nothing",
    stage="evidence",
)
def not_repeatable(evidence: Evidence) -> Iterator[Hit]:
    """The same task, seed and actions give the same episode in another process.

    Otherwise two variants cannot be compared, a failure cannot be replayed, and a group of
    rollouts is not of one problem. What env.yaml names under `varies` is not compared.
    """
    declared = evidence.declaration
    for policy, by_label in REFERENCE.of(evidence).items():
        for label, trajectory in by_label.items():
            other = REPEAT.of(evidence).get(policy, {}).get(label)
            if other and (found := difference(trajectory, other, declared)):
                message = f"{named(trajectory)}: {found} differs when played again"
                yield seen_in(trajectory, message)


@check(
    "DET002",
    "seed-ignored",
    fix="build the world from the seed; or declare `seed: {used: false, reason: …}` in env.yaml",
    needs=[REFERENCE, RESEEDED, SEED_USED, USED_SEED],
    after=["DET003", "TAS003"],
)
def seed_ignored(evidence: Evidence) -> Iterator[Hit]:
    """Another seed gives another problem on at least one task that was played.

    A seed that is silently ignored is worse than none: a thousand rollouts are copies of one.
    """
    reseeded = RESEEDED.of(evidence)
    shown = next(iter(reseeded.values()))
    if unanswered := _unanswered(evidence):
        yield skip(unanswered)
    elif not _changed(evidence):
        count = len(reseeded)
        yield Hit(
            f"with every seed raised by one, all {count} episodes were the same as before", shown
        )


@check(
    "DET003",
    "unused-seed-used",
    fix="remove `seed.used: false` from env.yaml, or the randomness from the domain",
    needs=[REFERENCE, RESEEDED, SEED_USED, UNUSED_SEED],
)
def unused_seed_used(evidence: Evidence) -> Iterator[Hit]:
    """A seed declared unused changes nothing.

    Users who rely on the declaration would play one seed only, and see one problem of many.
    """
    if unanswered := _unanswered(evidence):
        yield skip(unanswered)
    for label in _changed(evidence)[:1]:
        message = f"env.yaml says that the seed is not used, but it changes {label}"
        yield seen_in(RESEEDED.of(evidence)[label], message)


def _unanswered(evidence: Evidence) -> str:
    """Why nothing can be said of other seeds: every episode failed under them; or ""."""
    reseeded = RESEEDED.of(evidence)
    failed = [each for each in reseeded.values() if each.end == "failed"]
    return f"no answer: {cause(failed[0])}" if len(failed) == len(reseeded) else ""


def _changed(evidence: Evidence) -> list[str]:
    (before,) = evidence.leading.values()
    return [
        label
        for label, trajectory in RESEEDED.of(evidence).items()
        if trajectory.end != "failed"
        and label in before
        and difference(trajectory, before[label], evidence.declaration)
    ]


@check(
    "DET004",
    "oracle-not-repeatable",
    fix="let the oracle draw from random.Random(seed), or take the first of equals",
    needs=[TASKS, REFERENCE],
    trusts="runs",
)
def oracle_not_repeatable(evidence: Evidence) -> Iterator[Hit]:
    """The oracle gives the same solution of a task in another process.

    What it proves today may fail tomorrow. It is worth a look, and an error where it fails some
    task already.
    """
    solved = (evidence.reference or {}).get("oracle", {})
    if not solved:
        yield skip("the oracle gave no solution that could be asked for again")
    short = evidence.unsolved or any(
        each.total is None or each.total < (top_of(evidence, each) or 0) - 1e-9
        for each in (solved.values() if evidence.declaration.best != "luck" else ())
    )
    for label in TASKS.of(evidence).changed[:3]:
        message = f"{label}: another solution when the oracle was asked again"
        level: Status = "fail" if short else "warn"
        yield Hit(message, solved.get(label), Place(task=label), level)


@check(
    "DET005",
    "tasks-not-repeatable",
    fix="deal tasks by random.Random(a number), sort before you draw, and use no hash() and no set order",
    needs=[TASKS, REFERENCE],
    trusts="nothing",
)
def tasks_not_repeatable(evidence: Evidence) -> Iterator[Hit]:
    """The tasks of a split are the same in every process.

    Otherwise each server has splits of its own, and what was trained on is in another's test split.
    """
    by_split: dict[str, list[str]] = defaultdict(list)
    for place in TASKS.of(evidence).redealt:
        by_split[place.partition("/")[0]].append(place)
    for split, several in by_split.items():
        message = f"{several[0]} is another task in another process, as are {len(several)} in all of {split}"
        yield Hit(message, place=Place(task=several[0]))


CHECKS = (
    not_repeatable,
    seed_ignored,
    unused_seed_used,
    oracle_not_repeatable,
    tasks_not_repeatable,
)
