"""The right answers that a grader rewards too little."""

from __future__ import annotations

from skill_tools.evidence.grading.graded import USUAL, Graded, GradedReply


def underpaid(graded: Graded) -> list[GradedReply]:
    """Return the right answers that earn nothing, or much less than most right answers.

    If an answer is rewarded in the usual template, but not in the user's own reply, that reply is returned.
    """
    right = [r for r in graded.replies if r.must == r.probe == "right" and not r.broke]
    best, floor = graded.best, graded.floor
    little = [each for each in right if each.task not in best]
    whole = [r for r in graded.replies if r.must == "given" and r.task in best]
    least = {task: floor[task] + USUAL * (paid - floor[task]) for task, paid in best.items()}
    return little + [r for r in whole if r.paid is not None and r.paid < least[r.task]]
