"""The right answers that a grader rewards too little."""

from __future__ import annotations

from skill_tools.evidence.grading.graded import CLOSE, Graded, GradedReply

SHARE = 0.75
"""Share of the usual reward below which a right answer earns too little."""


def underpaid(graded: Graded) -> list[GradedReply]:
    """Return the right answers that earn nothing, or much less than most right answers."""
    right = [r for r in graded.replies if r.must == r.probe == "right" and not r.broke]
    best = graded.best
    top = max(best.values(), default=0.0)
    full = sum(paid >= top - CLOSE for paid in best.values())
    share = SHARE if 2 * full > len(right) else 0.0
    least = {task: floor + share * (top - floor) for task, floor in graded.floor.items()}
    return [r for r in right if r.task not in best or best[r.task] < least.get(r.task, 0.0)]
