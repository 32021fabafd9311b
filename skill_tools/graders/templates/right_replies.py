"""Find right replies: columns of the rows, replies made from columns, or results of a search by reward."""

from __future__ import annotations

from collections.abc import Sequence

from skill_tools.evidence.grading.graded import CLOSE, GradedReply
from skill_tools.graders.grader_client import Grader
from skill_tools.graders.perturbations.json_paths import SEVERAL, leaves_of, measured
from skill_tools.graders.perturbations.puzzles import solved
from skill_tools.graders.programs.lookup_programs import tabled
from skill_tools.graders.templates.question import Question
from skill_tools.graders.templates.reward_search import GreyBox, search_replies
from skill_tools.graders.templates.template_search import (
    Framed,
    are_alternatives,
    depends_on_task,
    find_frame,
)

MOST = 10
"""Maximum candidates that the audit makes."""


def find_right(
    candidates: Sequence[Sequence[Question]], grade: Grader, box: GreyBox, *, alone: bool
) -> tuple[Framed | None, list[GradedReply], bool]:
    """Return the right answers in their template, all submitted replies, and whether the audit made the answers.

    An answer that the audit made is right only for tasks that reward it.
    """
    best, tried = find_frame(candidates, grade, alone=alone)
    if best and SEVERAL.search(best.questions[0].prompt) and not are_alternatives(best, grade):
        whole = [each for each in candidates if not any(question.also for question in each)]
        best = find_frame(whole, grade)[0] or best
    if not best and (made := _made(candidates)) and (best := find_frame(made, grade)[0]):
        return best, tried, True
    if candidates and not (best and best.whole):
        found = search_replies(candidates[0], box, grade)
        # If the data's answers earn more on some tasks, a task without reward may have a wrong label.
        most = (best.paid if best.doubtful else best.most) if best else 0.0
        if found and found.paid > most + CLOSE and depends_on_task(found, grade):
            return found, tried, True
    return best, tried, False


def _made(candidates: Sequence[Sequence[Question]]) -> list[list[Question]]:
    """Return right answers that are not in the data as such: programs from tests, values in objects, solved puzzles."""
    inner = leaves_of(candidates)
    several = [*tabled(candidates), *inner, *measured([*candidates, *inner])]
    puzzles = solved(candidates[0]) if candidates else []
    return [*([puzzles] if puzzles else []), *several][:MOST]
