"""GRA008: whether a model that judges is shown what it judges."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import Hit, check, skip
from skill_tools.checks.needs import GRADED
from skill_tools.evidence.evidence import Evidence

SEVERAL = 2
"""Verdicts that a model was asked for, before something is said of them."""


@check(
    "GRA008",
    "judge-sees-no-reply",
    fix="put the reply and the question into the judge's prompt, and look at one that was sent",
    needs=[GRADED],
    trusts="nothing",
)
def judge_sees_no_reply(evidence: Evidence) -> Iterator[Hit]:
    """A model that judges is shown what it judges.

    A prompt whose place for the reply stays empty is scored all the same, by chance or by habit.
    """
    judged = GRADED.of(evidence).judged
    if judged.of < SEVERAL:
        yield skip("no model was asked for a verdict")
    elif not judged.count:
        yield Hit(f"a judge was asked {judged.of} times, and never shown the reply")


CHECKS = (judge_sees_no_reply,)
