"""REW: whether the oracle solves tasks and seeds beyond those that every policy played."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import check, warn
from skill_tools.checks.rules.rewards.baselines import CLOSE
from skill_tools.evidence.evidence import Evidence


@check(
    "REW008",
    "unsolved-elsewhere",
    fix="mend the task, the oracle or the rules for it, and play that split",
    needs=["explored", "reward_range"],
    after=[
        "DET001",
        "ISO001",
        "ISO010",
        "EPI001",
        "EPI010",
        "REW001",
        "REW002",
        "REW003",
        "REW019",
    ],
)
def unsolved_elsewhere(evidence: Evidence) -> Iterator[str]:
    """The oracle earns the top on tasks of every split and level, not only on the first ones.

    A task that cannot be solved deep in a split, or in the test split, is met first in training.
    """
    high = evidence.declaration.reward_range[1]
    for each in evidence.explored.solved:
        place = f"{each['split']}/{each['index']}"
        if each["end"] == "failed":
            yield f"the oracle on {place}: {(each['failure'] or {}).get('message', 'failed')}"
        elif each["return"] < high - CLOSE:
            yield f"the oracle on {place}: return {each['return']:g} of {high:g} ({each['end']})"


@check(
    "REW009",
    "unsolved-with-other-seeds",
    fix="build problems that can be solved from every seed, or say `seed: {used: false}`",
    needs=["explored", "reward_range"],
    after=[
        "DET001",
        "ISO001",
        "ISO010",
        "EPI001",
        "REW001",
        "REW002",
        "REW003",
        "REW019",
        "DET002",
    ],
)
def unsolved_with_other_seeds(evidence: Evidence) -> Iterator[str]:
    """The oracle earns the top under other seeds than the tasks' own.

    Trainers pass seeds of their own; a problem that cannot be solved is noise in the gradient.
    """
    high, found = evidence.declaration.reward_range[1], evidence.explored.reseeded
    bad = [each for each in found if each["end"] == "failed" or each["return"] < high - CLOSE]
    for each in bad:
        place = f"{each['split']}/{each['index']} with seed {each['seed']}"
        why = (each["failure"] or {}).get("message") or f"return {each['return']:g} of {high:g}"
        message = f"the oracle on {place}: {why} ({len(bad)} of {len(found)} in all)"
        yield message if each["end"] == "failed" else warn(message)


CHECKS = (unsolved_elsewhere, unsolved_with_other_seeds)
