"""Programs that change or end the process of their grader: each gets one of its own, so that it spoils no
other's score."""

from __future__ import annotations

from collections.abc import Sequence

from skill_tools.errors import DomainError
from skill_tools.evidence.grading.graded import GradedReply
from skill_tools.graders.grader_client import Grade, Grader, GradeRequest, spread
from skill_tools.graders.perturbations.operators import Guess
from skill_tools.graders.programs.reward_hacks import Outline, rough_cheats
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import NONSENSE, Question

TASKS = 3
"""Tasks on which they are tried: how programs are run is the same for all."""


def rough_replies(
    questions: Sequence[Question], frame: Template, grade: Grader
) -> list[GradedReply]:
    """What they earned. All are given together first: alone only where one was paid, or ended the others."""
    looked = spread([each for each in questions if _outline(each)], TASKS)
    plan = [(each, guess) for each in looked for guess in rough_cheats(_outline(each), frame)]
    together = _give(plan, grade)
    least = min((each.paid for each in together if each.paid is not None), default=0.0)
    same = all(each.reached and not each.broke and each.paid == least for each in together)
    if same:
        return _told(plan, together)
    found: list[GradedReply] = []
    for probe in dict.fromkeys(guess.probe for _, guess in plan):
        alone = [(item, guess) for item, guess in plan if guess.probe == probe]
        found += _told(alone, _give(alone, grade, alone=True))
    return found


def _outline(item: Question) -> Outline:
    return Outline.of(item.gold) if item.gold else Outline(item.functions)


def _give(
    plan: Sequence[tuple[Question, Guess]], grade: Grader, *, alone: bool = False
) -> list[Grade]:
    earned = _ask([GradeRequest(item.label, guess.reply) for item, guess in plan], grade)
    if alone and not any(each.reached for each in earned):
        # Unless there is no time left, then another reply is not scored either.
        (other,) = _ask([GradeRequest(plan[0][0].label, NONSENSE)], grade)
        if other.reached and not other.broke:
            why = "the reply ended the process that scores, which said nothing more"
            return [Grade(broke=why), *earned[1:]]
    return earned


def _ask(asks: Sequence[GradeRequest], grade: Grader) -> list[Grade]:
    try:
        return list(grade(asks)) if asks else []
    except DomainError:  # the process of an environment of ours ended
        return [Grade(reached=False)] * len(asks)


def _told(plan: Sequence[tuple[Question, Guess]], earned: Sequence[Grade]) -> list[GradedReply]:
    return [
        GradedReply(
            item.label, guess.probe, guess.must, guess.how, guess.reply, each.paid, each.broke
        )
        for (item, guess), each in zip(plan, earned, strict=True)
        if each.reached
    ]
