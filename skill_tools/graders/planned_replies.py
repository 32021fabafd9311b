"""Replies that are planned before they are sent to a grader, with their expected rewards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skill_tools.evidence.grading.graded import CLOSE, Expectation, GradedReply
from skill_tools.graders.grader_client import Grader, GradeRequest
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import Question


class Planned(NamedTuple):
    """A reply to send. ``beside`` holds the other replies of its batch, each with its task."""

    item: Question
    probe: str
    must: Expectation
    how: str
    reply: str
    beside: tuple[tuple[str, str], ...] = ()


def give(plan: Sequence[Planned], grade: Grader) -> list[GradedReply]:
    """Send replies to a grader and return their rewards, without replies that did not reach the grader."""
    asks = [
        GradeRequest(each.item.label, each.reply, each.beside, kind=each.probe) for each in plan
    ]
    earned = grade(asks) if asks else ()
    return [
        GradedReply(p.item.label, p.probe, p.must, p.how, p.reply, each.paid, each.broke)
        for p, each in zip(plan, earned, strict=True)
        if each.reached
    ]


def only_given(questions: Sequence[Question], frame: Template, grade: Grader) -> set[str]:
    """Return the tasks for which only the user's own reply is rewarded, and not its answer in the template."""
    varied = [each for each in questions if each.given not in ("", frame.hold(each.gold))]
    whole = [GradeRequest(each.label, each.given) for each in varied]
    inner = [GradeRequest(each.label, frame.hold(each.gold)) for each in varied]
    paid = [each.paid or 0.0 for each in grade([*whole, *inner])] if varied else []
    pairs = zip(varied, paid[: len(varied)], paid[len(varied) :], strict=True)
    return {question.label for question, own, held in pairs if own > held + CLOSE}
