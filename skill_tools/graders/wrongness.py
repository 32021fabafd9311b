"""Checks, independent of the grader, of whether a rewarded wrong answer is really wrong.

Operators change the text of a right answer, but some changes preserve its meaning. Only rewarded replies are
checked.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from itertools import chain

from skill_tools.evidence.grading.graded import Expectation, Graded, GradedReply
from skill_tools.graders.arithmetic import plain, value_in
from skill_tools.graders.perturbations.operators import PUZZLE, UNREDUCED
from skill_tools.graders.programs.examples import ProgramExample
from skill_tools.graders.programs.program_runner import Runs, run_all
from skill_tools.graders.templates.answer_templates import SLOT, Template
from skill_tools.graders.templates.dates import read_date
from skill_tools.graders.templates.question import Question, items_of, read_json

LONGEST = 2_000
"""Maximum characters of an answer to read."""
ONE_SIDE = {"hedged": "hedged-last", "hedged-last": "hedged"}
"""Ways of giving two answers, each with the same answers in reverse order."""
POSITIONAL: Mapping[str, frozenset[str]] = {
    "hedged": frozenset({"hedged", "parted", "plus", "taken-back"}),
    "hedged-last": frozenset({"hedged-last"}),
}
"""Ways of replying whose reward only shows that a grader reads the first of two answers, or the last."""
RUN = 2.0
"""Seconds for running programs that differ from the right one in words that may not matter."""


def settle(graded: Graded, questions: Sequence[Question], frame: Template) -> Graded:
    """Return the grades after checking each rewarded wrong reply.

    A reply that turns out to be right no longer counts as wrong.
    """
    asked = {each.label: each for each in questions}
    paid = [r for way in graded.ways("wrong") for r in graded.paid_in_full(way.replies)]
    # An expression may have the right value without being what a prompt asks for.
    known = [
        each
        for each in paid
        if each.task in asked and not each.probe.startswith((PUZZLE, UNREDUCED))
    ]
    right = {id(each) for each in known if _reads_right(each, asked[each.task], frame)}
    right |= _run_alike([each for each in known if id(each) not in right], asked, frame)
    # What closes the answer's place shows that all of it is the answer.
    one_side = _one_sided(graded) if frame.template.endswith(SLOT) else frozenset()

    def expected(reply: GradedReply) -> Expectation:
        if id(reply) in right:
            return "open"
        return "doubtful" if reply.probe in one_side and reply.must == "wrong" else reply.must

    if not right and not one_side:
        return graded
    return replace(graded, replies=tuple(replace(r, must=expected(r)) for r in graded.replies))


def _reads_right(reply: GradedReply, question: Question, frame: Template) -> bool:
    answer = _answer_in(reply.reply, frame)
    also = (replace(question, gold=each, also=()) for each in _alternatives(question))
    return is_right(answer, question) or any(is_right(answer, each) for each in also)


def _alternatives(question: Question) -> Iterator[str]:
    """Yield the other values of a list in the row that has the right answer, unless the prompt shows them: options."""
    if question.kind not in ("list", "json", "code"):
        names = {name for name, value in question.row if is_right(value, question)}
        yield from (v for name, v in question.row if name in names and v not in question.prompt)


def _answer_in(reply: str, frame: Template) -> str:
    """Return the answer in a reply's template, or the text after the template's last label, or the whole reply."""
    label = frame.template.removesuffix(SLOT)
    if label != frame.template and label.strip() and label in reply:
        return reply.rpartition(label)[2]
    held = frame.held(reply)
    return reply if held is None else held


def is_right(answer: str, question: Question) -> bool:
    """Return whether an answer equals a right answer as a text, a value, a date or an object."""
    if not 0 < len(answer.strip()) <= LONGEST:
        return False
    rights = (question.gold, *question.also)
    readings = (*READINGS, _same_items) if "any_order" in question.says else READINGS
    return any(reading(answer, right) for right in rights for reading in readings)


def _same_text(one: str, other: str) -> bool:
    return plain(one) == plain(other) != ""


def _same_value(one: str, other: str) -> bool:
    values = (value_in(one), value_in(other))
    return values[0] is not None and values[0] == values[1]


def _same_date(one: str, other: str) -> bool:
    days: list[date] = [found.day for each in (one, other) if (found := read_date(plain(each)))]
    return len(days) == 2 and days[0] == days[1]


def _same_object(one: str, other: str) -> bool:
    values = [read_json(each) for each in (one, other) if each.strip()[:1] in ("{", "[")]
    if len(values) < 2 or None in values or values[0] != values[1]:
        return False
    # In Python, 1 equals True.
    truths = [
        re.findall(r"\b(?:true|false)\b", json.dumps(each, sort_keys=True)) for each in values
    ]
    return truths[0] == truths[1]


def _same_items(one: str, other: str) -> bool:
    """Return whether two lists have the same items, in any order."""
    lists = [sorted(map(str, items_of(each.strip()).items)) for each in (one, other)]
    return len(lists[0]) > 1 and lists[0] == lists[1]


def _same_sizes(one: str, other: str) -> bool:
    """Return whether two lists have the same sequence of values; items of equal value may be swapped."""
    lists = [[_size(str(item)) for item in items_of(each.strip()).items] for each in (one, other)]
    return len(lists[0]) > 1 and None not in lists[0] and lists[0] == lists[1]


def _size(text: str) -> Fraction | None:
    if re.fullmatch(r"0[xob][\da-fA-F]{1,12}", text):
        return Fraction(int(text, 0)) if _is_written(text) else None
    value = value_in(text)
    return value / 100 if value is not None and text.endswith("%") else value


def _is_written(text: str) -> bool:
    digits = {"x": "0123456789abcdef", "o": "01234567", "b": "01"}[text[1]]
    return all(each in digits for each in text[2:].lower())


READINGS: tuple[Callable[[str, str], bool], ...] = (
    _same_text,
    _same_value,
    _same_date,
    _same_object,
    _same_sizes,
)
"""Readings under which two answers may be the same."""


def _run_alike(
    paid: Sequence[GradedReply], asked: Mapping[str, Question], frame: Template
) -> set[int]:
    """Return the ids of the replies that, run as programs, print the same output as the right answer."""
    pairs = [(each, asked[each.task].gold, _answer_in(each.reply, frame)) for each in paid]
    runs = [
        (each, Runs((right, answer), (ProgramExample(stdin=""),)))
        for each, right, answer in pairs
        if asked[each.task].kind == "text" and _calls(right) and _calls(answer)
    ]
    found: set[int] = set()
    if runs:
        for (each, _), given in zip(runs, run_all([run for _, run in runs], RUN), strict=False):
            (right, *_), (other, *_) = given if len(given) == 2 else ([None], [None])
            if right and other and (right.kind, right.plain) == (other.kind, other.plain):
                found.add(id(each))
    return found


def _calls(text: str) -> bool:
    """Return whether a text is a program that contains a call."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(each, ast.Call) for each in ast.walk(tree))


def _one_sided(graded: Graded) -> frozenset[str]:
    """Return the kinds of replies with two numbers that are rewarded because the grader reads only one number.

    A policy gains nothing from a second number that the grader never reads.
    """
    if graded.kind != "number":
        return frozenset()
    ways = {way.probe: way for way in graded.ways("wrong")}
    paid = {name: bool(graded.paid_in_full(way.replies)) for name, way in ways.items()}
    sides: Iterator[frozenset[str]] = (
        POSITIONAL[one]
        for one, other in ONE_SIDE.items()
        if paid.get(one) and not paid.get(other, True)
    )
    return frozenset(chain.from_iterable(sides))
