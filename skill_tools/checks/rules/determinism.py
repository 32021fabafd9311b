"""DET: whether a task and a seed define the same problem each time, and whether the seed matters."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import partial

from skill_tools.checks.check import Check, Hit, Place, Status, check, skip
from skill_tools.checks.needs import (
    PROBED,
    REFERENCE,
    REPEAT,
    RESEEDED,
    SEED_USED,
    TASKS,
    UNUSED_SEED,
    USED_SEED,
    probe,
)
from skill_tools.checks.reading.episodes import cause
from skill_tools.checks.reading.probed import top_of
from skill_tools.checks.tables.relations import Difference, Pair, Relation, episode, related
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.markers import MARK
from skill_tools.evidence.trajectory import Trajectory


def _repeated(evidence: Evidence) -> Iterator[Pair]:
    """Yield each episode of the reference run with its repetition in another process."""
    for policy, by_label in REFERENCE.of(evidence).items():
        for label, first in by_label.items():
            if again := REPEAT.of(evidence).get(policy, {}).get(label):
                yield Pair(first, again)


def _reseeded(evidence: Evidence) -> Iterator[Pair]:
    """Yield each episode of the leading policy (usually the oracle) with its repetition under the next seed."""
    (before,) = evidence.leading.values()
    for label, again in RESEEDED.of(evidence).items():
        if again.end != "failed" and label in before:
            yield Pair(before[label], again)


def _all_failed(evidence: Evidence) -> str:
    failed = [each for each in RESEEDED.of(evidence).values() if each.end == "failed"]
    return f"no answer: {cause(failed[0])}" if failed else ""


def _elsewhere(evidence: Evidence) -> Iterator[Pair]:
    """Yield the output of a checksum program, paired with its output under another time zone and locale.

    The program prints one checksum of all files.
    """
    for each in PROBED.of(evidence).attempts.get("fingerprint", []):
        if each.compared and _sum(each.compared) and _sum(each.trajectory):
            yield Pair(each.compared, each.trajectory, f"{each.words}, on {each.of}")


def _untold(evidence: Evidence) -> str:
    died = PROBED.of(evidence).unanswered.get("fingerprint")
    return (
        f"the program gave no answer: {died}"
        if died
        else "no program printed a checksum of all files in both runs"
    )


def _sums(_: Evidence, each: Pair) -> Difference | None:
    there, here = _sum(each.first), _sum(each.again)
    words = f"{here}, but {there} in another time zone and language"
    return Difference(words) if here != there else None


def _sum(played: Trajectory) -> str:
    """Return the checksum of all files that the last step prints, or ""."""
    found = re.search(rf"{MARK} \d+ \d+", played.steps[-1].text) if played.steps else None
    return found[0] if found else ""


@check(
    "DET004",
    "oracle-not-repeatable",
    fix="draw the oracle's choices from random.Random(seed), or take the first of equally good choices",
    needs=[TASKS, REFERENCE],
    trusts="runs",
)
def oracle_not_repeatable(evidence: Evidence) -> Iterator[Hit]:
    """The oracle gives the same solution to a task in another process.

    Otherwise the oracle may solve a task today and fail the same task tomorrow. The finding is a warning. It is an
    error if the oracle already fails a task.
    """
    solved = (evidence.reference.episodes or {}).get("oracle", {})
    if not solved:
        yield skip("no solution of the oracle could be requested a second time")
    short = evidence.unsolved or any(
        each.total is None or each.total < (top_of(evidence, each) or 0) - 1e-9
        for each in (solved.values() if evidence.declaration.best != "luck" else ())
    )
    for label in TASKS.of(evidence).changed[:3]:
        message = f"{label}: the oracle gave another solution the second time"
        level: Status = "fail" if short else "warn"
        yield Hit(message, solved.get(label), Place(task=label), level)


@check(
    "DET005",
    "tasks-not-repeatable",
    fix="generate tasks with random.Random(a number), sort what you draw from, and avoid hash() and set order",
    needs=[TASKS, REFERENCE],
    trusts="nothing",
)
def tasks_not_repeatable(evidence: Evidence) -> Iterator[Hit]:
    """The tasks of a split are the same in every process.

    Otherwise each server has its own splits, and one server's training split contains tasks of another server's test
    split.
    """
    by_split: dict[str, list[str]] = defaultdict(list)
    for place in TASKS.of(evidence).redealt:
        by_split[place.partition("/")[0]].append(place)
    for split, several in by_split.items():
        message = (
            f"{several[0]} differs when generated in another process, as do {len(several)} tasks "
            f"of {split} in all"
        )
        yield Hit(message, place=Place(task=several[0]))


CHECKS = (
    Check(
        "DET001",
        "not-repeatable",
        partial(
            related,
            (Relation(_repeated, (episode,), "{who}: {what} differs between two runs"),),
        ),
        fix="draw all randomness from random.Random(seed); never use time, hash() or set order. "
        "If a real program's output varies, declare what varies under `varies`",
        needs=(REFERENCE, REPEAT),
        after=("DET005",),
        trusts="nothing",
        stage="evidence",
        says="""The same task, seed and actions give the same episode in another process.

        Otherwise two variants cannot be compared, a failure cannot be replayed, and the rollouts in a group do not
        share one problem. Output that env.yaml lists under `varies` is not compared.
        """,
    ),
    Check(
        "DET002",
        "seed-ignored",
        partial(
            related,
            (
                Relation(
                    _reseeded,
                    (episode,),
                    "with every seed raised by one, all {count} episodes were identical",
                    must="differ somewhere",
                    nothing=_all_failed,
                ),
            ),
        ),
        fix="build the world from the seed; or declare `seed: {used: false, reason: …}` in env.yaml",
        needs=(REFERENCE, RESEEDED, SEED_USED, USED_SEED),
        after=("DET003", "TAS003"),
        says="""For at least one task that was played, a different seed gives a different problem.

        If a seed is silently ignored, a thousand rollouts are copies of a single rollout.
        """,
    ),
    Check(
        "DET003",
        "unused-seed-used",
        partial(
            related,
            (
                Relation(
                    _reseeded,
                    (episode,),
                    "env.yaml says that the seed is not used, but it changes {label}",
                    nothing=_all_failed,
                    most=1,
                ),
            ),
        ),
        fix="remove `seed.used: false` from env.yaml, or remove the randomness from the domain",
        needs=(REFERENCE, RESEEDED, SEED_USED, UNUSED_SEED),
        says="""A seed that is declared unused changes nothing.

        Users who rely on the declaration play with only one seed and miss the other problems.
        """,
    ),
    oracle_not_repeatable,
    tasks_not_repeatable,
    Check(
        "DET006",
        "files-differ-elsewhere",
        partial(related, (Relation(_elsewhere, (_sums,), nothing=_untold),)),
        fix="generate files from the task and the seed alone; write times in UTC, and numbers and names independently "
        "of the locale",
        needs=(probe("fingerprint"),),
        says="""The files of a task are the same in another time zone and locale.

        Otherwise two machines would train on two different environments.
        """,
    ),
)
