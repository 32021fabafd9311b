"""Slips in a grader's code: operations that do what their author rarely meant, such as reading from the end of a list.

A driver records such operations while the grader scores right replies and replies near them. What also happens for
right replies is usually meant, so that most kinds of slips count only where no right reply shows them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from skill_tools.evidence.grading.explanations import Slip
from skill_tools.evidence.grading.graded import CLOSE, Graded, GradedReply
from skill_tools.graders.grader_client import Grader, GradeRequest, spread
from skill_tools.graders.nearby_replies import nearby, words_of
from skill_tools.graders.programs.mutants import Ways, every_mutant
from skill_tools.graders.programs.mutations import Changed
from skill_tools.graders.repairs.code_repairs import GraderCode
from skill_tools.graders.templates.answer_templates import Template

FEWEST = 4
"""Minimum rewarded right replies: fewer do not show what is meant."""
RIGHT = 50
"""Maximum right replies to score."""
TASKS = 12
"""Maximum tasks for which nearby replies are scored."""
NEARBY = 40
"""Number of replies near the right one of each task."""
PROOFS = 30
"""Maximum replies to score again with edited code."""
ALWAYS = ("ended",)
"""Kinds that no author means, whatever the reply."""
NEVER_RIGHT = ("negative", "padded")
"""Kinds that count if no right reply shows them."""
REWARDED = ("dropped", "divisor", "caught")
"""Kinds that count if no right reply shows them but a rewarded reply does."""


class Recorded(NamedTuple):
    """A scored reply with the records of its operations (see `audit_scoring.slip_records`)."""

    paid: float | None
    records: Sequence[Mapping[str, Any]]


Recorder = Callable[[Sequence[GradeRequest]], Sequence[Recorded]]
"""Scores replies with watched operations, in order."""


Operation = tuple[str, int, str]
"""A kind of record, and the line and the source of an operation."""


class _Event(NamedTuple):
    """A record, with the reply that was scored and whether it is a right one and got the full reward."""

    task: str
    reply: str
    right: bool
    full: bool
    record: Mapping[str, Any]

    @property
    def operation(self) -> Operation:
        return self.record["kind"], self.record["line"], self.record["source"]


def find_slips(
    graded: Graded,
    frame: Template,
    code: GraderCode,
    rows: Mapping[str, Mapping[str, Any]],
    record: Recorder,
    grade: Grader,
) -> list[Slip]:
    """Return the slips in a grader's code, at most one for each kind and operation.

    Args:
        graded: The results so far, with right replies.
        frame: The template of right replies, in which only the answer changes.
        rows: The rows by task, whose words are put into replies.
        record: Scores replies and records operations.
        grade: Scores replies with edited code.
    """
    right = graded.paid_in_full(e for e in graded.replies if e.must == e.probe == "right")
    if graded.kind == "code" or len(right) < FEWEST:
        return []
    near = [
        GradeRequest(each.task, hold(text), kind="nearby")
        for each in spread(right, TASKS)
        for answer, hold in [_answer(each.reply, frame)]
        for text in nearby(answer, _words_for(each, right, rows), NEARBY, each.task)
    ]
    known = [GradeRequest(each.task, each.reply, kind="nearby") for each in spread(right, RIGHT)]
    by_operation: dict[Operation, list[_Event]] = {}
    for each in _events([*known, *near], len(known), graded, record):
        by_operation.setdefault(each.operation, []).append(each)
    found = [
        *_telling(by_operation),
        *_unfound(by_operation),
        *_zeros(by_operation, graded, code, grade),
    ]
    return [_slip(each, code.file) for each in found]


def _answer(reply: str, frame: Template) -> tuple[str, Callable[[str], str]]:
    """Return the answer in a right reply, and a function that puts another answer in its place."""
    answer = frame.held(reply)
    return (answer, frame.hold) if answer else (reply, str)


def _words_for(
    own: GradedReply, right: Sequence[GradedReply], rows: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    shortest_first = sorted(rows.get(own.task, {}).items(), key=lambda each: len(str(each[1])))
    return [*words_of(dict(shortest_first)), *words_of([each.reply for each in right])]


def _events(
    asks: Sequence[GradeRequest], right: int, graded: Graded, record: Recorder
) -> Iterator[_Event]:
    """Score the replies, of which the first ``right`` ones are right, and yield what was recorded."""
    for at, (ask, got) in enumerate(zip(asks, record(asks), strict=True)):
        full = got.paid is not None and got.paid >= graded.best.get(ask.task, 1.0) - CLOSE
        for each in got.records:
            yield _Event(ask.task, ask.reply, at < right, full, each)


def _telling(by_operation: Mapping[Operation, Sequence[_Event]]) -> Iterator[_Event]:
    """Yield an example of each slip whose kind is enough, rewarded ones first."""
    for (kind, *_), several in by_operation.items():
        usual = any(each.right for each in several)
        rewarded = [each for each in several if each.full]
        if kind in ALWAYS or (kind in NEVER_RIGHT and not usual):
            yield _shortest(rewarded or several)
        elif kind in REWARDED and rewarded and not usual:
            yield _shortest(rewarded)


def _unfound(by_operation: Mapping[Operation, Sequence[_Event]]) -> Iterator[_Event]:
    """Yield an example of each search that never succeeds, but once only for capitals, spaces or a type."""
    for (kind, *place), several in by_operation.items():
        if kind == "missed" and ("found", *place) not in by_operation:
            yield _shortest([each for each in several if each.full] or several)


def _zeros(
    by_operation: Mapping[Operation, Sequence[_Event]],
    graded: Graded,
    code: GraderCode,
    grade: Grader,
) -> Iterator[_Event]:
    """Yield an example of each condition that takes a 0 for a missing value, where that changes a verdict."""
    for (kind, line, source), several in by_operation.items():
        if kind != "zero" or ("none", line, source) not in by_operation:
            continue
        rewarded = spread([each for each in several if each.full], PROOFS)
        asks = [
            GradeRequest(each.task, each.reply, program=edit.program)
            for edit in every_mutant(code.text, partial(_always, _given(source)), {line})
            for each in rewarded
        ]
        refused = (
            rewarded[at % len(rewarded)]
            for at, (ask, got) in enumerate(zip(asks, grade(asks) if asks else (), strict=True))
            if got.paid is not None and got.paid < graded.best.get(ask.task, 1.0) - CLOSE
        )
        yield from islice(refused, 1)


def _always(ways: Ways, _: ast.Module) -> Ways:
    return ways


def _given(source: str) -> Ways:
    """Return the change of a condition that asks whether a value is there."""

    def ways(node: ast.AST) -> Iterator[Changed]:
        if isinstance(node, ast.expr) and ast.unparse(node) == source:
            yield Changed("given", node, ast.Compare(node, [ast.IsNot()], [ast.Constant(None)]))

    return ways


def _shortest(several: Sequence[_Event]) -> _Event:
    return min(several, key=lambda each: (len(each.reply), each.task))


def _slip(event: _Event, file: str) -> Slip:
    kind, line, source = event.operation
    place, values = f"{file}:{line}", event.record["values"]
    return Slip(kind, event.task, event.reply, place, source, values, event.full)
