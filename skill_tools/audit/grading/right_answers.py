"""Guesses, the likeliest first, about the field and the format of the correct answers in foreign data."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from skill_tools.errors import SkillToolsError
from skill_tools.evidence.grading.contrast import columns_of
from skill_tools.graders.datasets.fields import ABOUT, Fields, at, guess_fields
from skill_tools.graders.row_answers import named_values
from skill_tools.graders.templates.question import (
    UNITS,
    Question,
    is_number,
    items_of,
    read_question,
    shortened,
)
from skill_tools.graders.templates.shown_examples import in_shape

ANY_OF = re.compile(r"(?i)alias|accept|valid|answers|alternativ|references|correct|allowed|targets")
"""Names of fields with a list of alternatives, each of them correct."""
PLACES = frozenset({"id", "idx", "index", "split", "seed", "data_source", "task_id", "type"})
"""Names of fields that hold a row's place or kind."""
MOST_SHAPES = 4
"""Maximum columns, or groups of columns, to write in the shape of an example."""
MARKS = re.compile(r"\||;|->|→")
"""Separators of list items in data; a reply may need another one."""
PER_LINE = re.compile(r"(?i)\b(?:one|a|each)\b.{0,20}\b(?:per|on (?:a|its own)) (?:\w+ )?line\b")
"""Matches a prompt that asks for a list with one item per line."""


def candidates(
    found: Mapping[str, Any], places: Mapping[str, Any], golds: Mapping[str, Any]
) -> list[list[Question]]:
    """Return the questions with their candidate answers, the likeliest candidates first.

    Args:
        found: The result of discovery.
        places: The tasks that discovery found, by label.
        golds: The correct replies, if the user gave them.
    """
    rows = {label: p["task"] for label, p in places.items() if isinstance(p.get("task"), dict)}
    try:
        fields = guess_fields(list(rows.values()), None, None) if rows else None
    except SkillToolsError:  # rows of a world, without questions
        fields = None
    if golds:
        field = fields.question if fields else ""
        asked = {label: places[label] for label in golds}
        return _with_rows(_asked(found, asked, field, golds, any_of=False), places)
    if not fields:
        return _asked(found, places, "", {}, any_of=False)
    prompt = fields.question_of(next(iter(rows.values())))
    several: list[list[Question]] = []
    for name in _answer_fields(list(rows.values()), fields):
        told = {label: value for label, row in rows.items() if (value := at(row, name)) is not None}
        asked = {label: places[label] for label in told}
        for written, any_of in (*_writings(told, prompt), *_with_unit(rows, told)):
            several += _asked(found, asked, fields.question, written, any_of)
        if whole := _completed(rows, told, fields):
            several += _asked(found, asked, fields.question, whole, any_of=False)
    shaped = _by_example(rows, fields)
    named = (_by_labels(rows, prompt), _by_keys(rows, prompt))
    made: list[Mapping[str, Any]] = [each for each in (*named, *shaped) if each]
    # After the data's own answer columns, because the requested fields are numerous and tried one by one.
    several[1:1] = [
        one
        for each in made
        for one in _asked(found, {n: places[n] for n in each}, fields.question, each, any_of=False)
    ]
    return several or _asked(found, places, fields.question, {}, any_of=False)


def _writings(golds: Mapping[str, Any], prompt: str) -> Iterator[tuple[Mapping[str, Any], bool]]:
    """Yield the answers in several notations. A flag states whether lists hold several correct answers.

    The first notation is the data's own notation. Lists are also written as alternatives, and as people write
    lists. Without the flag, a list is a single answer.
    """
    lists = {label: _items(each) for label, each in golds.items()}
    yield golds, False
    if any(len(each) > 1 for each in lists.values()):
        yield lists, True
    words = {label: str(each).split() for label, each in golds.items()}
    if sum(len(each) > 1 for each in lists.values()) < len(golds) / 2:
        letters = {label: list(str(each)) for label, each in golds.items()}
        if PER_LINE.search(prompt) and all(len(each) > 1 for each in words.values()):
            yield {label: "\n".join(each) for label, each in words.items()}, False
        elif all(re.fullmatch(r"[A-J]{2,10}", str(each)) for each in golds.values()):
            yield {label: ", ".join(each) for label, each in letters.items()}, False
        return
    texts = {label: [str(item) for item in each] for label, each in lists.items()}
    yield {label: ", ".join(each) for label, each in texts.items()}, False
    yield {label: f"[{', '.join(each)}]" for label, each in texts.items()}, False
    yield {label: "\n".join(each) for label, each in texts.items()}, False
    numbered = {
        label: [f"{n}. {text}" for n, text in enumerate(each, 1)] for label, each in texts.items()
    }
    yield {label: "\n".join(each) for label, each in numbered.items()}, False


def _with_unit(
    rows: Mapping[str, Mapping[str, Any]], golds: Mapping[str, Any]
) -> Iterator[tuple[Mapping[str, Any], bool]]:
    """Yield numeric answers with a unit, if the rows have a separate column for the unit."""
    columns = (name for name in next(iter(rows.values()), {}) if name.lower() in UNITS)
    unit = next(columns, "")
    if unit and all(is_number(str(each)) for each in golds.values()):
        units = {label: rows[label].get(unit, "") for label in golds}
        # First with as few digits as people write.
        for write in (shortened, str):
            yield {n: f"{write(str(gold))} {units[n]}" for n, gold in golds.items()}, False


def _completed(
    rows: Mapping[str, Mapping[str, Any]], golds: Mapping[str, Any], fields: Fields
) -> Mapping[str, str]:
    """Return programs that consist of a question and the answer that completes the question, as in HumanEval.

    Returns {} for other data.
    """
    asked = {label: fields.question_of(rows[label]) for label in golds}
    whole = {label: f"{text}{golds[label]}" for label, text in asked.items() if "def " in text}
    try:
        return whole if len(whole) == len(golds) and all(map(ast.parse, whole.values())) else {}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}


def _by_example(
    rows: Mapping[str, Mapping[str, Any]], fields: Fields
) -> Sequence[Mapping[str, str]]:
    """Return each column's answers in the format of the prompts' example, if the format fits most rows."""
    found: dict[str, dict[str, str]] = {}
    own = fields.question.partition(".")[0]
    for label, row in rows.items():
        rest = {name: value for name, value in row.items() if name not in (own, *PLACES)}
        for name, text in in_shape(fields.question_of(row), rest):
            found.setdefault(name, {}).setdefault(label, text)
    return [each for each in found.values() if len(each) > len(rows) / 2][:MOST_SHAPES]


def _by_labels(rows: Mapping[str, Mapping[str, Any]], prompt: str) -> Mapping[str, str]:
    """Return answers that have one line per field whose name is a label in the prompt, such as ``Capital: …``.

    Returns {} if the prompt has fewer than two labels.
    """
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    labels = {
        name: found[0]
        for name in names
        if (found := re.search(rf"(?im)^[ \t]*{re.escape(name)}: ?", prompt))
    }
    if len(labels) < 2:
        return {}
    return {
        label: "\n".join(f"{mark.strip()} {row.get(name, '')}" for name, mark in labels.items())
        for label, row in rows.items()
    }


def _by_keys(rows: Mapping[str, Mapping[str, Any]], prompt: str) -> Mapping[str, str]:
    """Return a JSON object with the fields that a prompt for JSON names, in the prompt's order.

    Returns {} if the prompt does not ask for JSON or names fewer than two fields.
    """
    if "json" not in prompt.casefold():
        return {}
    names = dict.fromkeys(name for row in rows.values() for name in row if name not in PLACES)
    places = {
        name: at.start() for name in names if (at := re.search(rf"\b{re.escape(name)}\b", prompt))
    }
    keys = sorted(places, key=lambda name: places[name])
    if len(keys) < 2:
        return {}
    return {
        label: json.dumps({key: row.get(key) for key in keys}, default=str, ensure_ascii=False)
        for label, row in rows.items()
    }


def _items(gold: Any) -> list[Any]:
    """Return the items of a list that is written as JSON or with separators that prose does not use.

    Any other value is returned as a single item.
    """
    if isinstance(gold, str) and gold[:1] == "[":
        return items_of(gold).items
    if isinstance(gold, str) and "\n" not in gold and (mark := MARKS.search(gold)):
        return [each.strip() for each in gold.split(mark[0].strip())]
    return gold if isinstance(gold, list) else [gold]


def _answer_fields(rows: Sequence[Mapping[str, Any]], fields: Fields) -> list[str]:
    """Return the fields that may hold the correct answer, the likeliest field first."""
    asked = fields.question.partition(".")[0]
    names = dict.fromkeys(name for row in rows for name in row)
    others = [
        name
        for name in names
        if name not in (asked, fields.answer, *PLACES)
        and len({repr(row.get(name)) for row in rows}) > 1
    ]
    others.sort(key=lambda each: (not ANY_OF.search(each), each.lower() in ABOUT))
    return [*filter(None, [fields.answer]), *others]


def _asked(
    found: Mapping[str, Any],
    places: Mapping[str, Any],
    field: str,
    golds: Mapping[str, Any],
    any_of: bool,
) -> list[list[Question]]:
    """Return one candidate: the questions of the tasks with their answers. Return [] if there are no questions."""
    questions = []
    for label, place in places.items():
        task = place.get("task")
        messages = _messages(task if isinstance(task, dict) else {}, field, found)
        read = read_question(label, messages, golds.get(label), any_of=any_of) if messages else None
        if read and isinstance(task, dict):
            read = replace(read, columns=columns_of(task))
        if read and read.kind == "code" and isinstance(task, dict):
            rest = {name: value for name, value in task.items() if name != field}
            read = replace(read, beside=(json.dumps(rest, default=str, ensure_ascii=False),))
        questions += [read] if read else []
    return [questions] if questions else []


def _with_rows(several: list[list[Question]], places: Mapping[str, Any]) -> list[list[Question]]:
    """Return the questions with the values of their rows, with which the given answers are compared."""
    return [
        [replace(each, row=named_values(places[each.label].get("task"))) for each in questions]
        for questions in several
    ]


def _messages(
    task: Mapping[str, Any], field: str, found: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the messages of a task's question, including the system messages that all episodes share."""
    asked = at(task, field) if field else None
    if isinstance(asked, list):
        return [each for each in asked if isinstance(each, dict)]
    opening = [each for each in found.get("prompt") or [] if each.get("role") == "system"]
    if isinstance(asked, str):
        return [*opening, {"role": "user", "content": asked}]
    return list(found.get("prompt") or [])
