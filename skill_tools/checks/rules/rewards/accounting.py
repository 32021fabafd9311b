"""REW: whether what the steps pay adds up to what the domain means."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skill_tools.checks.check import Hit, check, skip
from skill_tools.checks.needs import NO_LUCK, REWARD_RANGE, SCORED, probe
from skill_tools.checks.reading.episodes import named, scored
from skill_tools.checks.reading.probed import (
    CLOSE,
    UNSCORED,
    attempts,
    bests_of,
    describe,
    seen_in,
    task_of,
    tops,
)
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Attempt
from skill_tools.evidence.trajectory import return_of


@check(
    "REW018",
    "reward-of-the-last-call",
    fix="let `reward` be what the episode has earned so far: add to it, do not replace it",
    needs=[SCORED, REWARD_RANGE, NO_LUCK],
    plays=["oracle"],
    after=["REW001"],
    stage="consequence",
)
def reward_of_the_last_call(evidence: Evidence) -> Iterator[Hit]:
    """The domain's `reward` is what the episode has earned so far, not what the last call earned.

    Variants pay the difference between two calls, so what was earned before is taken back.
    """
    (low, top), bests = REWARD_RANGE.of(evidence), bests_of(evidence)
    for trajectory in scored(evidence, "oracle"):
        total, high = return_of(trajectory), bests.get(task_of(trajectory), top)
        if total >= high - CLOSE:
            continue
        paid = [step.reward for step in trajectory.steps]
        back = next(
            (n for n, each in enumerate(paid) if each < -CLOSE and sum(paid[:n]) > CLOSE), 0
        )
        if back and abs(sum(paid[: back + 1])) <= CLOSE:
            message = (
                f"{named(trajectory)}: step {back + 1} took back the {-paid[back]:g} that were "
                f"earned before; the return is {total:g} of {high:g}"
            )
            yield seen_in(trajectory, message, tool=trajectory.steps[back].tool)
            continue
        if evidence.declaration.reward_timing == "terminal":
            continue  # one payment, at the end, is what it promises
        earned = [step for step in trajectory.steps if abs(step.reward) > CLOSE]
        shares = (high - min(low, 0.0)) / total if total > CLOSE else 0.0
        alike = len(earned) == 1 and 2 <= round(shares) <= len(trajectory.steps)
        if alike and abs(shares - round(shares)) <= CLOSE:
            message = (
                f"{named(trajectory)}: only one call paid, {total:g}, which is {high:g} by "
                f"{round(shares)}: was `reward` set to the same again, where it should have grown?"
            )
            yield seen_in(trajectory, message, tool=earned[0].tool)


@check(
    "REW020",
    "stalling-pays",
    fix="pay the same or less for what takes longer",
    needs=[probe("late"), REWARD_RANGE, NO_LUCK],
    after=["DET002", "REW001"],
)
def stalling_pays(evidence: Evidence) -> Iterator[Hit]:
    """A solution is not worth more when it comes at the last moment.

    A policy that learns to put it off spends turns, and sometimes loses what it had.
    """
    oracle = (evidence.reference or {}).get("oracle", {})
    sooner = {label: each.total for label, each in oracle.items() if each.total is not None}
    found = [each for each in attempts(evidence, "late") if each.of in sooner]
    for each in found:
        if return_of(each.trajectory) > sooner[each.of] + CLOSE:
            yield seen_in(each, f"{describe(each)}, and {sooner[each.of]:g} where it came sooner")
    if not found:
        yield skip(UNSCORED)


_EXACT = re.compile(
    r"\b(?:exact (?:text|match|words?)|(?:is|be|matche?s?) exact(?:ly)?|exactly as|(?:one|no|without) (?:spaces?|blanks?)"
    r"|to the letter|whitespace|commas? and (?:a |one )?(?:space|blank)s?)\b",
    re.IGNORECASE,
)
"""Words that ask for an answer as it is written: then a blank may make it wrong."""
WHERE = {
    "before": "a blank before it",
    "after": "a blank after it",
    "none": "no blank after its commas",
}
"""Where an answer has a blank or none, as its probe is called, and in words."""


@check(
    "REW022",
    "blank-makes-wrong",
    fix="strip() what the agent writes before it is compared or read",
    needs=[probe(*(f"blank-{where}" for where in WHERE)), REWARD_RANGE],
    after=["DET002", "REW001", "REW002"],
    level="warn",
)
def blank_makes_wrong(evidence: Evidence) -> Iterator[Hit]:
    """An answer that solves a task does so with a blank before it or after it, or without any after commas.

    Models write one now and then; what they know is then scored as if they did not.
    """
    words = f"{evidence.declaration.prompt or ''} {evidence.declaration.tools}"
    if _EXACT.search(words):
        yield skip("the agent is told to write it exactly")
        return
    enough = False
    for where, what in WHERE.items():
        found = attempts(evidence, f"blank-{where}")
        if where == "none":
            found = [each for each in found if _asks_for_a_list(evidence, each)]
        least = LISTS if where == "none" else BLANKS
        enough |= len(found) >= least
        if len(found) >= least and not tops(evidence, found):
            last = found[0].trajectory.steps[-1]
            message = f"{what}: {describe(found[0])}, with {last.text[:120]!r} ({len(found)} tasks)"
            parameter = found[0].change.get("parameter", "")
            yield seen_in(found[0], message, tool=last.tool, parameter=parameter)
    if not enough:
        yield skip(f"answers with blanks of fewer than {BLANKS} tasks have a return")


BLANKS = 3
"""Tasks that must be lost by a blank: fewer may be lost for another reason."""
LISTS = 1
"""Tasks that must be lost by a list without blanks: there the words ask for a list, and one is enough."""
_LISTED = re.compile(r"\b(?:commas?|comma-separated)\b", re.IGNORECASE)


def _asks_for_a_list(evidence: Evidence, each: Attempt) -> bool:
    """Whether the task or the parameter speaks of commas, and not just the rules that all tasks have."""
    tool = each.trajectory.steps[-1].tool
    words = str(evidence.declaration.parameters.get(tool, ""))
    opening = str(each.trajectory.prompt[-1].get("content")) if each.trajectory.prompt else ""
    return bool(_LISTED.search(f"{words} {opening}"))


CHECKS = (
    reward_of_the_last_call,
    stalling_pays,
    blank_makes_wrong,
)
