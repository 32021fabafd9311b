"""Correct and wrong answers for the grader of a foreign environment whose tasks are single
questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from skill_tools.audit.driver import DriverSession
from skill_tools.audit.grading.form_rewards import FORM, FORMAL, judges_form
from skill_tools.audit.grading.grader_code import code_of, constants_in
from skill_tools.audit.grading.grading_session import GradingSession
from skill_tools.audit.grading.real_models import TASKS, RealModel, ask_for_replies, judging
from skill_tools.audit.grading.right_answers import candidates
from skill_tools.audit.scripts import Call, label_place
from skill_tools.evidence.grading.graded import Graded, Judging
from skill_tools.evidence.grading.sampled_rewards import Sampled
from skill_tools.graders.circumstances import replies_elsewhere
from skill_tools.graders.decisions import decisive_lines
from skill_tools.graders.grader_audit import grade_answers
from skill_tools.graders.grader_client import GradeRequest, spread
from skill_tools.graders.judges.judge_audit import JudgedTask, RealJudge, play_judge
from skill_tools.graders.repairs.code_repairs import code_repairs
from skill_tools.graders.slips import find_slips
from skill_tools.graders.templates.answer_argument import Slot, slot_of
from skill_tools.graders.templates.answer_templates import Template, frames_of
from skill_tools.graders.templates.question import Question
from skill_tools.graders.templates.reward_search import GreyBox

Place = tuple[Any, ...]
"""A place: split, index and seed."""
Solutions = Mapping[Place, list[Call]]


def grade_in_audit(
    driven: DriverSession, solutions: Solutions, seconds: float, top: float
) -> tuple[Graded | None, dict[Place, list[Call]]]:
    """Return the grader's results, and the calls that solve the tasks whose correct answers the grader accepts.

    The results are None if the tasks are not questions with one answer.

    Args:
        driven: The session with the environment.
        solutions: The user's solutions. Without solutions, the rows are searched for correct answers.
        seconds: The time limit for all replies.
        top: The reward of a correct answer to assume if the real reward is unknown.
    """
    found = driven.found or {}
    places = {label_place(found, place): place for place in found["places"]}
    slot = _slot(found, list(solutions.values()))
    listed = any(isinstance(place.get("task"), dict) for place in places.values())
    if slot is None or not (solutions or listed):
        return None, {}
    asked = GradingSession(driven, places, slot, seconds)
    given = {label: solutions.get(_key(place)) for label, place in places.items()}
    golds = {label: calls[0]["arguments"][slot.argument] for label, calls in given.items() if calls}
    several = candidates(found, places, golds)
    rows = {
        label: place["task"]
        for label, place in places.items()
        if isinstance(place.get("task"), dict)
    }
    box = GreyBox({} if golds else rows, constants_in(driven.target))
    graded, frame = grade_answers(several, asked.grade, _size(found), top, box=box)
    if found.get("watches") and (formal := judges_form(graded, asked)):
        replies = {each.task: each.reply for each in reversed(formal)}
        calls = {
            _key(places[task]): [{"tool": slot.tool, "arguments": slot.arguments(reply)}]
            for task, reply in replies.items()
        }
        shown = tuple(each for each in graded.replies if each.broke)
        graded = Graded(
            kind=FORM,
            tasks=graded.tasks,
            replies=shown,
            unchecked=f"{FORMAL}, as on {formal[0].task}",
        )
        return graded, calls
    # A judge knows the replies of one episode only.
    if found.get("threads") and not asked.judged.of and asked.left > 0:
        again = tuple(replies_elsewhere(graded, asked.grade))
        graded = replace(graded, replies=(*graded.replies, *again))
    if found.get("watches"):
        graded = _explained(graded, frame, rows, asked)
    # The user's solutions count as correct, even if few of them are rewarded.
    graded = replace(graded, judged=asked.judged, doubtful=graded.doubtful and not golds)
    graded = replace(graded, judge=_look_at_judge(graded, frame, several, asked))
    graded = replace(graded, unplayed=asked.unplayed)
    if driven.target.player and found.get("in_text"):
        graded = replace(graded, sampled=_sample(driven.target.player, asked))
    if frame is None:
        return graded, {}
    best = graded.best
    right = {each.task: each.reply for each in graded.replies if each.must == "right"}
    solved = {
        _key(places[label]): [{"tool": slot.tool, "arguments": slot.arguments(right[label])}]
        for label in best
        if label in right
    }
    return graded, solved


def _explained(
    graded: Graded,
    frame: Template | None,
    rows: Mapping[str, Mapping[str, Any]],
    asked: GradingSession,
) -> Graded:
    """Return the results with what the grader's code shows: the lines that decide about misjudged replies, changes
    that correct the verdict, and slips."""
    graded = replace(graded, decisions=tuple(decisive_lines(graded, asked.trace)))
    if asked.judged.of or asked.left <= 0:
        return graded
    if code := code_of(asked.driven.target):
        repairs = code_repairs(graded, asked.trace, code, asked.grade)
        graded = replace(graded, repairs=tuple(repairs))
        if frame:
            slips = find_slips(graded, frame, code, rows, asked.record_slips, asked.grade)
            graded = replace(graded, slips=tuple(slips))
    return graded


def _look_at_judge(
    graded: Graded,
    frame: Template | None,
    several: Sequence[Sequence[Question]],
    asked: GradingSession,
) -> Judging | None:
    """Return the audit of a grader's judge, or None if the grader uses no judge or there are no questions.

    ``frame`` is the template of answers, if known. ``several`` holds candidates for the correct answers.
    """
    if not graded.judged.of or not several or not several[0]:
        return None
    if (
        frame is None
    ):  # no correct answer was rewarded: a prompt most likely shows one of the first candidates
        questions = several[0]
        frame = frames_of(questions)[0]
        tasks = [_task(each.label, each.gold, frame) for each in questions]
    else:
        replies = {each.task: each.reply for each in graded.replies if each.must == "right"}
        best: Mapping[str, float] = graded.best
        tasks = [
            JudgedTask(task, frame.held(reply) or "", reply)
            for task, reply in replies.items()
            if task in best
        ]
    model = asked.driven.target.judge
    if model is None:
        return play_judge(tasks, frame, asked.grade)
    with judging(model) as url:
        return play_judge(tasks, frame, asked.grade, RealJudge(model.model, url, model.requests))


def _task(label: str, gold: str, frame: Template) -> JudgedTask:
    return JudgedTask(label, gold, frame.hold(gold) if gold else "")


def _sample(model: RealModel, asked: GradingSession) -> Sampled:
    """Return the rewards of a real model's replies. Raise SkillToolsError if the model gives no reply."""
    prompts = {label: asked.prompts[label] for label in spread(list(asked.prompts), TASKS)}
    replies = ask_for_replies(model, prompts)
    asks = [GradeRequest(label, reply) for label, several in replies.items() for reply in several]
    earned = asked.grade(asks)
    by_task: dict[str, list[float | None]] = {}
    for ask, each in zip(asks, earned, strict=True):
        if each.reached:
            by_task.setdefault(ask.task, []).append(each.paid)
    return Sampled(model.model, tuple((task, tuple(paid)) for task, paid in by_task.items()))


def _slot(found: Mapping[str, Any], given: Sequence[list[Call]]) -> Slot | None:
    """Return the tool argument that receives answers, or None if there is no such argument.

    The argument comes from the solutions, or is the text of a message if the model answers in text.
    """
    if given:
        return slot_of([[(call["tool"], call["arguments"]) for call in calls] for calls in given])
    return Slot(found["tools"][0]["name"], "text") if found.get("in_text") else None


def _size(found: Mapping[str, Any]) -> int:
    return sum((found.get("splits") or {}).values()) or len(found["places"])


def _key(place: Mapping[str, Any]) -> Place:
    return place["split"], place["index"], place["seed"]
