"""Correct and wrong answers for the grader of a foreign environment whose tasks are single
questions."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from skill_tools.audit.driver import DriverSession, SeenEpisode
from skill_tools.audit.grading.form_rewards import FORM, FORMAL, judges_form
from skill_tools.audit.grading.grader_code import code_of, constants_in
from skill_tools.audit.grading.real_models import TASKS, RealModel, ask_for_replies, judging
from skill_tools.audit.grading.right_answers import candidates
from skill_tools.audit.groups import play_groups
from skill_tools.audit.scripts import Call, label_place
from skill_tools.evidence.grading.graded import NOT_RETURNED, Graded, Judging
from skill_tools.evidence.grading.sampled_rewards import Sampled
from skill_tools.evidence.grading.shares import Share
from skill_tools.graders.circumstances import replies_elsewhere
from skill_tools.graders.decisions import Trace, decisive_lines, run_lines
from skill_tools.graders.grader_audit import grade_answers
from skill_tools.graders.grader_client import Grade, GradeRequest, spread
from skill_tools.graders.ignored_columns import ignored_columns
from skill_tools.graders.judges.judge_audit import JudgedTask, RealJudge, play_judge
from skill_tools.graders.repairs.code_repairs import code_repairs
from skill_tools.graders.templates.answer_argument import Slot, slot_of
from skill_tools.graders.templates.answer_templates import Template, frames_of
from skill_tools.graders.templates.question import Question
from skill_tools.graders.templates.reward_search import GreyBox

AT_ONCE = 25
"""Number of concurrent episodes: while one waits for a server's reply, others continue."""
FEW = 4
"""Number of concurrent episodes with a real judge, which takes seconds for each."""
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
    asked = _Grading(driven, places, slot, seconds)
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
        graded = _explained(graded, rows, asked)
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


def _explained(graded: Graded, rows: Mapping[str, Mapping[str, Any]], asked: _Grading) -> Graded:
    """Return the results with the lines that decide about misjudged replies, and the columns that are ignored."""
    graded = replace(graded, decisions=tuple(decisive_lines(graded, asked.trace)))
    if asked.judged.of or asked.left <= 0:
        return graded
    if code := code_of(asked.driven.target):
        repairs = code_repairs(graded, asked.trace, code, asked.grade)
        graded = replace(graded, repairs=tuple(repairs))
    texts = {label: _text_of(prompt) for label, prompt in asked.prompts.items()}
    return replace(graded, ignored=tuple(ignored_columns(graded, rows, texts, asked.grade)))


def _look_at_judge(
    graded: Graded,
    frame: Template | None,
    several: Sequence[Sequence[Question]],
    asked: _Grading,
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


def _text_of(prompt: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(str(each.get("content", "")) for each in prompt)


def _task(label: str, gold: str, frame: Template) -> JudgedTask:
    return JudgedTask(label, gold, frame.hold(gold) if gold else "")


def _sample(model: RealModel, asked: _Grading) -> Sampled:
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


class _Grading:
    """A grader of replies in one environment, within a time limit."""

    def __init__(
        self, driven: DriverSession, places: Mapping[str, Any], slot: Slot, seconds: float
    ) -> None:
        self.driven, self.places, self.slot, self.left = driven, places, slot, seconds
        self.judged = Share(0, 0)
        self.prompts: dict[str, list[dict[str, Any]]] = {}
        self.round = self.unplayed = 0
        self.hung = False

    def grade(self, asks: Sequence[GradeRequest]) -> list[Grade]:
        """Return each reply's grade. Replies that cannot be submitted, or not in time, are marked as not reached."""
        began = time.monotonic()
        self.round += 1
        scripts = [self._script(number, ask) for number, ask in enumerate(asks)]
        told = [each for each in scripts if each]
        # A real judge answers sequentially, and each episode has its own time limit.
        at_once = FEW if any("ask" in ask.judge for ask in asks) else AT_ONCE
        groups = [
            {
                "key": f"answers/{self.round}/{at}",
                "scripts": told[at : at + at_once],
                "apart": True,
            }
            for at in range(0, len(told), at_once)
        ]
        if self.hung and self.left <= 0:  # a call that hangs has used all of it
            self.unplayed += len(told)
            return [Grade(reached=False)] * len(asks)
        got, unplayed = play_groups(self.driven, groups, max(5.0, self.left))
        self.unplayed += unplayed
        self.left -= time.monotonic() - began
        by_number = {
            int(each.trajectory.model.partition("/")[2]): each
            for episodes in got.values()
            for each in episodes
        }
        for each in by_number.values():
            if each.trajectory.prompt:
                self.prompts.setdefault(each.trajectory.label, each.trajectory.prompt)
        asked = [judged for each in by_number.values() for judged in each.seen.get("judge") or ()]
        shown = sum(bool(each.get("reply_shown")) for each in asked)
        self.judged = Share(self.judged.count + shown, self.judged.of + len(asked))
        earned = [_earned(by_number.get(number)) for number in range(len(asks))]
        self.hung = self.hung or any(each.broke.startswith(NOT_RETURNED) for each in earned)
        return earned

    def watch(self, asks: Sequence[GradeRequest]) -> list[SeenEpisode | None]:
        """Submit each reply in an episode that records which columns of the row are read. Return the episodes."""
        return self._record(asks, "watched")

    def trace(self, asks: Sequence[GradeRequest]) -> list[Trace]:
        """Submit each reply and return the lines of the grader that ran, or [] for a reply without a score."""
        seen = self._record(asks, "traced")
        return [run_lines(each.seen.get("trace", ())) if each else [] for each in seen]

    def _record(
        self, asks: Sequence[GradeRequest], what: Literal["watched", "traced"]
    ) -> list[SeenEpisode | None]:
        scripts = [self._script(number, ask) for number, ask in enumerate(asks)]
        told = [{**each, what: True} for each in scripts if each]
        group = {"key": what, "scripts": told, "apart": True}
        got, _ = play_groups(self.driven, [group], max(5.0, self.left))
        seen = {each.trajectory.model: each for several in got.values() for each in several}
        return [seen.get(f"answer/{number}") for number in range(len(asks))]

    def _script(self, number: int, ask: GradeRequest) -> dict[str, Any] | None:
        place = self.places[ask.task]
        call = {"tool": self.slot.tool, "arguments": self.slot.arguments(ask.reply)}
        where = {key: place[key] for key in ("split", "index", "seed")}
        script = {**where, "label": ask.task, "policy": f"answer/{number}", "calls": [call]}
        if ask.kind:
            script["kind"] = ask.kind
        if ask.changed:
            script["changed"] = dict(ask.changed)
        if ask.program:
            script["program"] = ask.program
        if ask.judge:
            script |= {"judge": dict(ask.judge), "gold": ask.gold}
        if ask.beside:
            if not (self.driven.found or {}).get("batches"):
                return None
            script |= {"beside": self._rows_of(ask.beside), "leads": ask.first}
        if ask.thread:
            script |= {"thread": True, "crowd": self._rows_of(ask.crowd)}
        return script

    def _rows_of(self, several: Sequence[tuple[str, str]]) -> list[list[Any]]:
        """Return each reply with the index of its task's row."""
        return [[self.places[task]["index"], reply] for task, reply in several]


def _earned(seen: SeenEpisode | None) -> Grade:
    if seen is None:
        return Grade(reached=False)
    played = seen.trajectory
    judged = tuple(seen.seen.get("judge") or ())
    if played.failure:
        return Grade(broke=f"{played.failure.kind}: {played.failure.message}"[:300], judged=judged)
    # A refused call has not reached the grader.
    reached = any(step.error is None for step in played.steps)
    return Grade(played.total, reached=reached, judged=judged)


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
