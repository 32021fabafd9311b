"""ISO019: whether a simple rule is rewarded."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import Hit, Place, Status, check, skip
from skill_tools.checks.needs import REWARD_RANGE, probe
from skill_tools.checks.reading.probed import (
    attempts,
    describe,
    grouped,
    same_change,
    share,
    tops,
)
from skill_tools.evidence.evidence import Evidence

MOST = 0.9
"""Share of the tasks' maximum from which a rule leaves nothing to learn."""
MUCH = 0.6
"""Share from which a rule is worth a look: thought adds little to it."""
FEWEST = 4
"""Minimum number of tasks on which a rule was played."""


@check(
    "ISO019",
    "answer-by-a-rule",
    fix="remove what the rule relies on from the prompts and observations: change the order or the ids, or make "
    "refusals less specific. If the task is to copy the answer, change nothing",
    needs=[probe("shortcut"), REWARD_RANGE],
    after=[
        "ISO002",
        "ISO003",
        "ISO005",
        "ISO006",
        "ISO007",
        "ISO012",
        "ISO013",
        "ISO014",
        "REW013",
    ],
    stage="exploit",
)
def answer_by_a_rule(evidence: Evidence) -> Iterator[Hit]:
    """A simple rule that is learned on half of the tasks earns no reward on the other half.

    Such a rule copies, for example, the k-th number in the opening, a reversed code in the task's id, or a word in a
    refusal. A policy finds such a rule long before it solves the task as intended.
    """
    probed = probe("shortcut").of(evidence)
    if probed.unlearned:
        yield skip(probed.unlearned)
    groups = [
        each
        for each in grouped(attempts(evidence, "shortcut"), same_change).values()
        if len(each) >= FEWEST
    ]
    if not groups:
        return
    best = max(groups, key=lambda each: share(evidence, each))
    earned, top = share(evidence, best), tops(evidence, best)
    if earned < MUCH or not top:
        return
    change = best[0].change
    told = (
        f"{change['rule']}: learned on other tasks, this rule earns {earned:.0%} of the maximum "
        f"on {len(best)} tasks, such as {describe(top[0])}"
    )
    # If the words may ask for exactly that, a person has to read them.
    level: Status | None = None if earned >= MOST and not change["asked"] else "warn"
    yield Hit(told, top[0].trajectory, Place(task=top[0].of), level)


CHECKS = (answer_by_a_rule,)
