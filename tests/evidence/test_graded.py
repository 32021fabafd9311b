"""What is read out of replies that a grader scored."""

from __future__ import annotations

from skill_tools.evidence.grading.graded import Graded, GradedReply


def graded(*replies: tuple[str, str, float | None]) -> Graded:
    """Replies as task, what they must earn and what they earned."""
    return Graded(
        tasks=2,
        replies=tuple(
            GradedReply(task, must, must, must, "7", paid) for task, must, paid in replies
        ),
    )


def test_a_right_reply_that_was_scored_only_the_second_time_is_not_compared() -> None:
    seen = graded(("t/0", "right", 1.0), ("t/0", "same", 0.0), ("t/1", "same", 1.0))
    assert [(first.task, again.paid) for first, again in seen.changed] == [("t/0", 0.0)]


def test_the_bounds_of_the_tasks_are_computed_once_however_many_replies_are_weighed() -> None:
    seen = graded(("t/0", "right", 1.0), ("t/0", "wrong", 0.5))
    assert seen.best is seen.best
    assert seen.floor is seen.floor
    assert seen.ceiling is seen.ceiling
