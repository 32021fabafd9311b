"""GRA013: whether a given model can learn anything from a grader's rewards."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import Hit, Place, check, note, skip, warn
from skill_tools.checks.needs import GRADED
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.graded import CLOSE, Graded
from skill_tools.evidence.grading.sampled_rewards import Sampled
from skill_tools.evidence.grading.shares import Share

KNOWN = 0.85
"""Share of tasks that all samples (or no samples) pass from which tasks are too easy (or too hard), as in a study."""
FLAT = 0.5
"""Share of tasks without variance from which half of a batch teaches nothing, as in a study."""


@check(
    "GRA013",
    "too-easy-for-the-model",
    shows="model",
    fix="if the model always solves a task, use harder tasks, or reward more than the answer. If the model never "
    "solves a task, use easier tasks or reward progress",
    needs=[GRADED],
    level="warn",
    trusts="nothing",
)
def too_easy_for_the_model(evidence: Evidence) -> Iterator[Hit]:
    """On most tasks, the returns of a model's samples differ.

    Training learns from differences between the samples of a task. If all samples or no samples are rewarded, there is
    no gradient.
    """
    graded = GRADED.of(evidence)
    seen = graded.sampled
    if seen is None:
        yield skip("no model replied: name one with --model and --model-url")
        return
    groups = {task: [each or 0.0 for each in paid] for task, paid in seen.paid if paid}
    if not groups:
        yield skip(f"no reply of {seen.model} was scored")
        return
    passed = _passed(graded, seen)
    every = [task for task, count in passed.items() if count == len(groups[task])]
    none = [task for task, count in passed.items() if not count]
    flat = [task for task, paid in groups.items() if max(paid) - min(paid) <= CLOSE]
    verdict, rest = "teachable", ""
    if len(every) >= KNOWN * len(groups):
        verdict, rest = "too easy", f", such as {every[0]}"
    elif len(none) >= KNOWN * len(groups) and len(flat) >= FLAT * len(groups):
        verdict, rest = "hard to start", f", such as {none[0]}"
    elif len(flat) >= FLAT * len(groups):
        verdict, rest = "flat", f", such as {flat[0]}"
    once = sum(passed[task] / len(groups[task]) for task in groups) / len(groups)
    most = max(map(len, groups.values()))
    said = " judging by a stand-in for the judge" if graded.judged.of else ""
    message = (
        f"{verdict} for {seen.model}{said}: pass@1 {once:.2f}, pass@{most} "
        f"{Share(len(groups) - len(none), len(groups)).text}; every sample has the full reward on "
        f"{len(every)} tasks, none "
        f"on {len(none)}; no variance on {len(flat)} of {len(groups)}{rest}"
    )
    yield (note if verdict == "teachable" or said else warn)(message, place=Place())


def _passed(graded: Graded, seen: Sampled) -> dict[str, int]:
    """Return, by task, how many samples got the reward of a right answer.

    If the reward of a right answer is unknown, the highest reward of all samples is used.
    """
    best = graded.best
    most = max((each or 0.0 for _, paid in seen.paid for each in paid), default=0.0)
    known = max(best.values(), default=most if most > 0 else 1.0)
    return {
        task: sum((each or 0.0) >= best.get(task, known) - CLOSE for each in paid)
        for task, paid in seen.paid
        if paid
    }


CHECKS = (too_easy_for_the_model,)
