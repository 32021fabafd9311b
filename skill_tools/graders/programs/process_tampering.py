"""Programs that change or end their grader's process; they run alone so that other scores stay unaffected."""

from __future__ import annotations

from collections.abc import Sequence

from skill_tools.errors import DomainError
from skill_tools.evidence.grading.graded import GradedReply
from skill_tools.graders.grader_client import Grade, Grader, GradeRequest, spread
from skill_tools.graders.perturbations.operators import Guess
from skill_tools.graders.programs.reward_hacks import Outline, rough_cheats
from skill_tools.graders.programs.shown_programs import shown_then_exits
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import NONSENSE, Question

TASKS = 3
"""Maximum tasks: programs run in the same way on all tasks."""


def rough_replies(
    questions: Sequence[Question], frame: Template, grade: Grader
) -> list[GradedReply]:
    """Return the rewards of programs that tamper with their process.

    All programs are first sent together. If any program is rewarded or ends the process, the programs are sent again
    one kind at a time.
    """
    looked = spread([each for each in questions if _outline(each)], TASKS)
    plan = [
        (each, guess)
        for each in looked
        for guess in (
            *rough_cheats(_outline(each), frame),
            *shown_then_exits(each.gold, each.prompt, frame),
        )
    ]
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
        # Without time left, other replies have no score either.
        (other,) = _ask([GradeRequest(plan[0][0].label, NONSENSE)], grade)
        if other.reached and not other.broke:
            why = "the reply ended the scoring process, which then reported nothing"
            return [Grade(broke=why), *earned[1:]]
    return earned


def _ask(asks: Sequence[GradeRequest], grade: Grader) -> list[Grade]:
    try:
        return list(grade(asks)) if asks else []
    except DomainError:  # the environment's process ended
        return [Grade(reached=False)] * len(asks)


def _told(plan: Sequence[tuple[Question, Guess]], earned: Sequence[Grade]) -> list[GradedReply]:
    return [
        GradedReply(
            item.label, guess.probe, guess.must, guess.how, guess.reply, each.paid, each.broke
        )
        for (item, guess), each in zip(plan, earned, strict=True)
        if each.reached
    ]
