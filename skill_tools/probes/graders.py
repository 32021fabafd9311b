"""Rewards for right and wrong answers in domains whose tasks each ask one question with one answer."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from skill_tools.errors import DomainError
from skill_tools.evidence.calls import calls_of
from skill_tools.evidence.grading.graded import NOT_RETURNED, Graded
from skill_tools.evidence.trajectory import Played, Record
from skill_tools.graders.decisions import Trace, decisive_lines, run_lines
from skill_tools.graders.grader_audit import grade_answers
from skill_tools.graders.grader_client import Grade, GradeRequest
from skill_tools.graders.perturbations.expressions import ENDLESS
from skill_tools.graders.row_answers import named_values
from skill_tools.graders.templates.answer_argument import Slot, slot_of
from skill_tools.graders.templates.question import Question, read_question
from skill_tools.policies import scripted
from skill_tools.reference.playbook import Playbook
from skill_tools.reference.process import Query, ask, play_job
from skill_tools.spec.model import EnvSpec

SECONDS = 10.0
"""Seconds for all answers: a question costs a millisecond; anything slower is a world."""
SOFT = 0.5
"""Share of the reward from which judges decide what is right, whose stand-ins know no other spelling."""
FEWEST = 2
"""Minimum number of tasks: wrong answers are those of other tasks."""
AT_ONCE = 100
"""Episodes per process: few, so that an episode that breaks the process loses few others."""


def grade_bare(
    spec: EnvSpec, folder: Path, playbook: Playbook, reference: Played, read: Collection[str] = ()
) -> Graded | None:
    """Return the rewards that the domain gives to right and wrong answers. Return None unless each task is one
    question with one answer.

    ``read`` has the task fields that the domain reads: it compares answers with no other field.
    """
    solved = {label: each for label, each in reference.get("oracle", {}).items() if each.steps}
    calls = [[(tool, given) for tool, given in calls_of(each)] for each in solved.values()]
    if (
        spec.grades_calls
        or sum(each.share for each in spec.reward.soft.values()) >= SOFT
        or spec.blocking
        or spec.backend != "none"
        or len(solved) < len(playbook.tasks.tasks)
    ):
        return None
    slot = slot_of([each for each in calls if all(isinstance(given, dict) for _, given in each)])
    if slot is None or len(calls) < FEWEST or _chosen(spec, slot):
        return None
    questions = [
        read_question(label, each.prompt, calls_of(each)[0][1][slot.argument])
        for label, each in solved.items()
    ]
    asked = _Asked(spec, folder, playbook, slot)
    tasks = dict(enumerate(playbook.tasks.tasks))
    known = [
        _with_row(each, tasks.get(playbook.places[each.label]), read) for each in questions if each
    ]
    graded, _ = grade_answers([known] if known else [], asked.grade, len(solved), 1.0, alone=True)
    return replace(graded, decisions=tuple(decisive_lines(graded, asked.trace)))


def _with_row(
    question: Question, task: Mapping[str, Any] | None, read: Collection[str]
) -> Question:
    if question.kind == "code":
        return replace(question, beside=(json.dumps(task, default=str),))
    row = {name: value for name, value in (task or {}).items() if name in read}
    return replace(question, row=named_values(row))


def _chosen(spec: EnvSpec, slot: Slot) -> bool:
    """Return whether the answer's schema limits its spelling (``enum``, ``const`` or ``pattern``)."""
    tool = next(each for each in spec.tool_rules() if each["name"] == slot.tool)
    schema = tool["parameters"]["properties"].get(slot.argument, {})
    return bool({"enum", "const", "pattern"} & schema.keys())


class _Asked:
    """A grader that lets the bare domain score replies, within a time limit."""

    def __init__(self, spec: EnvSpec, folder: Path, playbook: Playbook, slot: Slot) -> None:
        self.spec, self.folder, self.playbook, self.slot = spec, folder, playbook, slot
        self.until = monotonic() + SECONDS
        self.hung: set[str] = set()

    def grade(self, asks: Sequence[GradeRequest]) -> list[Grade]:
        """Score replies. ``reached`` is false for a reply that makes no call, or for which no time is left."""
        earned = [Grade(reached=False)] * len(asks)
        alone = [number for number, each in enumerate(asks) if not each.beside]
        endless = [number for number in alone if asks[number].kind.startswith(ENDLESS)]
        alone = [number for number in alone if number not in endless]
        for start in range(0, len(alone), AT_ONCE):
            part = alone[start : start + AT_ONCE]
            if monotonic() > self.until:
                break
            (reply,) = ask(self.spec, self.folder, [self._job([asks[n] for n in part])])
            for number, record in zip(part, reply.value, strict=True) if not reply.error else ():
                earned[number] = _earned(record)
        for number in endless:
            if monotonic() < self.until and asks[number].kind not in self.hung:
                earned[number] = self._alone(asks[number])
        return earned

    def _alone(self, each: GradeRequest) -> Grade:
        """Score a reply in a separate process, because scoring this reply may never end."""
        try:
            (reply,) = ask(self.spec, self.folder, [self._job([each])])
        except DomainError as error:
            self.hung.add(each.kind)
            return Grade(broke=f"{NOT_RETURNED}: {str(error).splitlines()[0]}"[:300])
        return Grade(reached=False) if reply.error else _earned(reply.value[0])

    def trace(self, asks: Sequence[GradeRequest]) -> Sequence[Trace]:
        """Return the lines of the domain that run for each reply, or [] for a reply for which no time is left."""
        left = max(0.0, self.until - monotonic())
        trials = [
            {
                "split": self.playbook.tasks.split,
                "index": self.playbook.places[each.task],
                "seed": None,
                "calls": [(self.slot.tool, self.slot.arguments(each.reply))],
            }
            for each in asks
        ]
        limits = {
            "max_turns": self.spec.episode.max_turns,
            "limit": {"seconds": left, "wall": left},
        }
        query = Query("trace", "tracing answers", {"trials": trials, **limits})
        try:
            (reply,) = ask(self.spec, self.folder, [query])
        except DomainError:  # a reply on which the domain does not return, which grades report
            return [[]] * len(asks)
        return [run_lines(each) for each in reply.value or [[]] * len(asks)]

    def _job(self, asks: Sequence[GradeRequest]) -> Query:
        split, places, slot = self.playbook.tasks.split, self.playbook.places, self.slot
        scripts = [
            (
                split,
                places[each.task],
                None,
                scripted.oracle([(slot.tool, slot.arguments(each.reply))]),
            )
            for each in asks
        ]
        job = play_job("submitting right and wrong answers", scripts, self.spec.episode.max_turns)
        return replace(job, share=1)  # a question costs a millisecond


def _earned(record: Record) -> Grade:
    played = record.trajectory(model="answer", label="answer")
    if played.failure:
        return Grade(broke=f"{played.failure.kind}: {played.failure.message}"[:300])
    return Grade(played.total, reached=any(step.error is None for step in played.steps))
