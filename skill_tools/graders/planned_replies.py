"""Replies that are planned before they are sent to a grader, with their expected rewards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from skill_tools.evidence.grading.graded import CLOSE, Expectation, Graded, GradedReply
from skill_tools.graders.grader_client import Grader, GradeRequest
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import Question

CANDIDATES = r"spray|all|all-\w+|union|hedged|hedged-last|lines\.union|blocks\.answers"
"""Matches the ways of replying with several tasks' answers."""
MOST_CANDIDATES = 120
"""Maximum other answers to send alone."""
SHORTEST = 2
"""Minimum characters of an answer that is looked for in a reply: a shorter one is part of others."""


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


def is_varied(question: Question, frame: Template) -> bool:
    """Return whether the user gave a reply that differs from its answer in the template."""
    return bool(question.row) and question.given not in ("", frame.hold(question.gold))


def only_given(questions: Sequence[Question], frame: Template, grade: Grader) -> set[str]:
    """Return the tasks for which only the user's own reply is rewarded, and not its answer in the template."""
    varied = [each for each in questions if is_varied(each, frame)]
    whole = [GradeRequest(each.label, each.given) for each in varied]
    inner = [GradeRequest(each.label, frame.hold(each.gold)) for each in varied]
    paid = [each.paid or 0.0 for each in grade([*whole, *inner])] if varied else []
    pairs = zip(varied, paid[: len(varied)], paid[len(varied) :], strict=True)
    return {question.label for question, own, held in pairs if own > held + CLOSE}


def allow_right_candidates(
    graded: Graded, questions: Sequence[Question], frame: Template, grade: Grader
) -> Graded:
    """Return the grades, where a list of candidates is not wrong if another task's answer in it is right as well.

    Two answers may be one value in different notations.
    """
    golds = {each.gold: None for each in questions if len(each.gold) >= SHORTEST}
    listed = [
        each
        for way in graded.ways("wrong")
        if re.fullmatch(CANDIDATES, way.probe)
        for each in graded.paid_in_full(way.replies)
    ]
    own = {each.label: each.gold for each in questions}
    pairs = [(e, g) for e in listed for g in golds if g != own.get(e.task) and g in e.reply]
    asked = list(dict.fromkeys((each.task, gold) for each, gold in pairs))[:MOST_CANDIDATES]
    asks = [GradeRequest(task, frame.hold(gold), kind="candidate") for task, gold in asked]
    grades = grade(asks) if asks else []
    best = graded.best
    right = {
        (task, gold)
        for (task, gold), each in zip(asked, grades, strict=True)
        if each.paid is not None and each.paid >= best[task] - CLOSE
    }
    known = {id(each) for each, gold in pairs if (each.task, gold) in right}
    replies = (replace(e, must="open") if id(e) in known else e for e in graded.replies)
    return replace(graded, replies=tuple(replies)) if known else graded
