"""Reward functions that judge only the form of replies. They read no column of a row except the question, so no
reply can be correct.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from skill_tools.audit.driver import SeenEpisode
from skill_tools.evidence.grading.graded import CLOSE, Graded, GradedReply
from skill_tools.evidence.grading.shares import Share
from skill_tools.graders.grader_client import Grade, GradeRequest

WATCHED = 100
"""Maximum replies to score while every column is watched."""
FEW = 4
"""Number of tasks, and of values of each, to put into the forms."""
FORMS = (
    "",
    "I think so: {}",
    "\\boxed{{{}}}",
    "<answer>{}</answer>",
    "<think>I think so.</think>{}",
    "<think>\nI think so.\n</think>\n<answer>\n{}\n</answer>",
)
"""Replies that differ in form alone, with the place of an answer."""
FORM = "form"
"""The kind of replies that a reward function judges without a right answer."""
FORMAL = "the reward judges form alone, because it uses no column of the rows but the question"


class Grading(Protocol):
    """The interface of an object that grades replies in an environment."""

    places: Mapping[str, Any]
    judged: Share

    def grade(self, asks: Sequence[GradeRequest]) -> list[Grade]:
        """Return each reply's grade."""

    def watch(self, asks: Sequence[GradeRequest]) -> list[SeenEpisode | None]:
        """Submit each reply in an episode that records which columns of the row are read. Return the episodes."""


def judges_form(graded: Graded, asked: Grading) -> list[GradedReply]:
    """Return the replies with the highest reward if the reward function judges only form, otherwise [].

    A reward function judges only form if it reads no column except the question when it scores these replies and
    one reply of every other kind. A function that gives every reply the same reward cannot be judged.
    """
    asks = [
        GradeRequest(task, form.format(value))
        for task in list(asked.places)[:FEW]
        for value in ("x", *_values(asked.places[task].get("task")))
        for form in FORMS
    ]
    given = zip(asks, asked.grade(asks), strict=True)
    formal = [GradedReply(a.task, FORM, "tried", a.reply, a.reply, each.paid) for a, each in given]
    paid = [each for each in (*formal, *graded.replies) if each.paid is not None]
    most = max((each.paid or 0.0 for each in paid), default=0.0)
    tops = [each for each in paid if (each.paid or 0.0) >= most - CLOSE]
    if asked.judged.of or len(tops) == len(paid):
        return []
    kinds = {(each.probe, each.how, each.paid): each for each in paid}
    looked = [*kinds.values(), *tops][:WATCHED]
    seen = asked.watch([GradeRequest(each.task, each.reply) for each in looked])
    unused = all(
        again and again.seen.get("used") == [] and again.trajectory.total == each.paid
        for each, again in zip(looked, seen, strict=True)
    )
    return tops if unused else []


def _values(row: Any) -> list[str]:
    """Return the first texts and numbers of a row.

    One of these values may be the correct answer, and some functions run all their code only for this answer.
    """
    values = row.values() if isinstance(row, dict) else ()
    return [str(each) for each in values if isinstance(each, str | int | float)][:FEW]
