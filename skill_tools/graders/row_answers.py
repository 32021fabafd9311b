"""Compare given right answers with the values of their rows: whether the grader has something to compare them with."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from skill_tools.evidence.grading.graded import GradedReply
from skill_tools.graders.grader_client import Grader, GradeRequest
from skill_tools.graders.perturbations.json_documents import look_up, scalar_paths
from skill_tools.graders.perturbations.numbers import SCIENTIFIC
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import (
    BRACKETS,
    MEASURED,
    Question,
    is_number,
    items_of,
    kind_of,
    read_json,
    value_of,
)
from skill_tools.graders.wrongness import is_right

UNIQUE = ("number", "choice", "boolean", "date", "code")
"""Kinds of answers of which a question has one, or which are compared by running them."""
MOST = 20
"""Maximum tasks for which the row's own answer is sent."""
MOST_VALUES = 200
"""Maximum values of a row to compare with an answer."""
LABELED = re.compile(r"(?P<label>[^:=]{1,40}?)\s*(?::|[-=]>|→|=)\s*(?P<value>\S.*)")
"""Matches a line with a label and a value."""
MOSTLY = 0.6
"""Minimum share of an answer's parts that stand in its row."""
HELD = 0.5
"""Share of answers that stand in their rows from which the grader compares answers with the rows."""


def named_values(row: object) -> tuple[tuple[str, str], ...]:
    """Return the first values of a row at any depth with the names of their fields. An item has its list's name."""
    return tuple(islice(_named(row, ""), MOST_VALUES))


def _named(value: object, name: str) -> Iterator[tuple[str, str]]:
    inner = value.items() if isinstance(value, Mapping) else ()
    items = value if isinstance(value, list) else ()
    if name and (inner or items):
        yield name, json.dumps(value, ensure_ascii=False, default=str)
    elif name and value is not None:
        yield name, str(value)
    for key, each in inner:
        yield from _named(each, f"{name}.{key}" if name else str(key))
    for each in items:
        yield from _named(each, name)


def mark_free(questions: Sequence[Question]) -> list[Question]:
    """Return the questions, each with whether other answers than the given one may be right.

    If a value of the row equals the answer, the grader can compare replies with this value. Otherwise, it has to
    compute whether a reply is right, as for any shortest path. If most answers are texts, a list without brackets is a
    text with commas as well.
    """
    if sum(each.kind == "text" for each in questions) > len(questions) / 2:
        bare = [q.kind == "list" and q.gold[:1] not in BRACKETS for q in questions]
        questions = [
            replace(q, kind="text") if b else q for q, b in zip(questions, bare, strict=True)
        ]
    given = [each for each in questions if each.row]
    held = [_holds(each) for each in given]
    if not given:
        return list(questions)
    free = sum(held) < HELD * len(held)
    return [replace(q, free=free and not _is_unique(q)) for q in questions]


def _is_unique(question: Question) -> bool:
    return question.kind in UNIQUE or bool(SCIENTIFIC.fullmatch(question.gold))


def rewarded_instead(
    questions: Sequence[Question], paid: Container[str], frame: Template, grade: Grader
) -> list[GradedReply]:
    """Return the grades of the rows' own answers to questions whose given answer the grader refuses.

    The field with the rows' own answers is the one that equals the given answers of the other questions. ``paid``
    contains the tasks that reward the given answer.
    """
    known = [each for each in questions if each.label in paid]
    unpaid = [each for each in questions if each.row and each.label not in paid][:MOST]
    name = _usual(set(_fields(each.gold, each)) for each in known)
    sent = [(q, name, text) for q in unpaid for text in _values(name, q)]
    if not name:  # each item may be in a field of its own
        items = [(q, _pieces(q)) for q in known]
        places = range(max((len(each) for _, each in items), default=0))
        names = [_usual(_fields(str(i[at]), q) for q, i in items if at < len(i)) for at in places]
        whole = names if all(names) else []
        sent = [
            (q, ", ".join(dict.fromkeys(whole)), text)
            for q in unpaid
            if whole
            for text in _together(whole, q)
        ]
        # A field of the row may have the labels as its keys.
        if under := _usual(_objects_with(q) for q in known):
            sent = [(q, under, text) for q in unpaid for text in _under(under, q)]
    asks = [GradeRequest(q.label, frame.hold(text)) for q, _, text in sent]
    return [
        GradedReply(q.label, "instead", "instead", name, ask.reply, each.paid, each.broke)
        for (q, name, _), ask, each in zip(sent, asks, grade(asks) if asks else (), strict=True)
        if each.reached
    ]


def _pieces(question: Question) -> list[Any]:
    """Return the items of a list, or the values of labeled lines; [] for any other answer."""
    if question.kind == "list":
        return items_of(question.gold).items
    lines = question.gold.splitlines()
    values = [each[1] for each in map(_split, lines) if each]
    return values if len(values) == len(lines) > 1 else []


def _split(line: str) -> tuple[str, str] | None:
    """Return a labeled line as its label with the sign, and its value."""
    found = LABELED.fullmatch(line.strip())
    return (found.string[: found.start("value")], found["value"]) if found else None


def _usual(several: Iterable[Iterable[str]]) -> str:
    """Return the most frequent name, or "" if there are no names."""
    counts = Counter(name for names in several for name in names)
    return counts.most_common(1)[0][0] if counts else ""


def _objects_with(question: Question) -> list[str]:
    """Return the fields whose keys are the labels of the answer, with equal values."""
    parts = [(label.casefold(), value) for label, value in _parts(question) if label]
    found = [
        name.rpartition(".")[0]
        for label, value in parts
        for name in _fields(value, question)
        if name.rpartition(".")[2].casefold() == label
    ]
    return [name for name in dict.fromkeys(found) if name and found.count(name) == len(parts)]


def _under(name: str, question: Question) -> Iterator[str]:
    """Yield the values of a field in labeled lines, if they differ from the given answer."""
    row = [(field, value) for field, value in question.row if field.rpartition(".")[0] == name]
    text = "\n".join(f"{field.rpartition('.')[2]}: {value}" for field, value in row)
    if text and not _equals(text, question):
        yield text


def _together(names: Sequence[str], question: Question) -> Iterator[str]:
    """Yield the values of several fields as a list in the form of the given answer, if it differs from that answer."""
    row = dict(reversed(question.row))
    found = [row[name] for name in names if name in row]
    if len(set(names)) == 1 < len(names):  # the items of one list, after the list itself
        found = [value for name, value in question.row if name == names[0]][1:]
    if question.kind == "list":
        text = items_of(question.gold).write(found)
    else:
        labels = [each[0] for each in map(_split, question.gold.splitlines()) if each]
        pairs = zip(labels, found, strict=False)
        text = "\n".join(f"{label}{value}" for label, value in pairs)
    if len(found) == len(_pieces(question)) and not _equals(text, question):
        yield text


def _values(name: str, question: Question) -> list[str]:
    """Return the first value of a field that is not the given answer, in the form of the given answer."""
    values = [text for field, text in question.row if field == name]
    return [_written_like(each, question) for each in values if not _equals(each, question)][:1]


def _written_like(value: str, question: Question) -> str:
    if (measured := MEASURED.fullmatch(question.gold)) and is_number(value):
        return question.gold.replace(measured["number"], value)
    if question.kind != "list":
        return value
    form, items = items_of(question.gold), items_of(value).items
    letters = len(items) == 1 and all(len(str(each)) == 1 for each in form.items)
    return form.write(list(value) if letters else items)


def _equals(value: str, question: Question) -> bool:
    """Return whether a value of a row is the answer, perhaps written without the marks between its items."""
    bare = [re.sub(r"[\W_]+", "", each).casefold() for each in (value, question.gold)]
    lettered = bare[0] == bare[1] and not re.search(r"\d", bare[0]) and bare[0] != ""
    measured = MEASURED.fullmatch(question.gold) if is_number(value) else None
    if measured and value_of(value) == value_of(measured["number"]):
        return True
    return lettered or is_right(value, question)


def _fields(answer: str, question: Question) -> list[str]:
    """Return the names of the fields whose value equals an answer."""
    asked = replace(question, gold=answer, also=(), kind=kind_of(answer))
    return [name for name, value in question.row if _equals(value, asked)]


def _holds(question: Question) -> bool:
    """Return whether a row has a value that equals the answer, or values that equal most parts of the answer."""
    if _fields(question.gold, question):
        return True
    parts = list(_parts(question))
    times = Counter(name for name, _ in question.row)
    found = [(label, _fields(each, question)) for label, each in parts]
    if parts and not any(label for label, _ in parts):
        return any(_is_list_of(name, found, times) for name in {n for _, own in found for n in own})
    held = sum(any(times[name] == 1 or _names(name, label) for name in own) for label, own in found)
    return bool(parts) and held >= MOSTLY * len(parts)


def _is_list_of(name: str, found: Sequence[tuple[str, list[str]]], times: Counter[str]) -> bool:
    """Return whether a field has most items of an answer and few others: which to choose may be the question."""
    held = sum(name in own for _, own in found)
    # A list is itself a value of its field.
    return held >= MOSTLY * max(len(found), times[name] - 1)


def _names(field: str, label: str) -> bool:
    """Return whether a field has the name of a part of the answer."""
    last = field.rpartition(".")[2].casefold()
    return last.startswith(label.casefold()) or label.casefold().startswith(last)


def _parts(question: Question) -> Iterator[tuple[str, str]]:
    """Yield the values of an object, of labeled lines, or of a list in any order, with their labels.

    The order of other lists may be computed.
    """
    value = read_json(question.gold)
    if isinstance(value, dict):
        for path in scalar_paths(value):
            names = [each for each in path if isinstance(each, str)]
            yield str(names[-1]) if names else "", str(look_up(value, path))
    elif "\n" in question.gold:
        labeled = [LABELED.match(line) for line in question.gold.splitlines()]
        found = [(each["label"].strip(), each["value"].strip("\"' ")) for each in labeled if each]
        # Without labels, each line is an item; a bullet or a number may precede it.
        items = (re.sub(r"^\W{1,3}|^\d{1,3}[.)] ", "", e) for e in question.gold.splitlines())
        yield from found or (("", each.strip()) for each in items if each.strip())
    elif "any_order" in question.says:
        listed = items_of(question.gold).items
        yield from (("", one) for each in listed for one in str(each).split(" and "))
