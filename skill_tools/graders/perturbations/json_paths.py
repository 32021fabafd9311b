"""Right answers inside a data object: each of the object's values, and numbers with their unit."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from skill_tools.graders.perturbations.json_documents import is_numeric
from skill_tools.graders.templates.question import (
    UNITS,
    Question,
    is_number,
    kind_of,
    read_json,
    shortened,
)

MOST = 8
"""Maximum values of an object to try."""
ASKED = re.compile(
    r"(?i)\bunits?\b(?!>)|\bgive (?:it|the \w+) in\b|\banswer in\b|\bin (?:either )?(?=m/s)"
)
"""Matches a prompt that asks for a unit."""
UNIT = re.compile(
    r"(?<![\w/<])(m/s|km/h|[kMhcmµn]?(?:Pa|Hz|W|J|V|g|m|s|N|L|l)|[kmµ]?A(?! [a-z])|bar|atm|min|h|°[CF]|K|kg|mol)(?![\w/>])"
)
SEVERAL = re.compile(
    r"(?i)\b(?:json|list|array|object|all|each|every|comma|separated|several|items|names|which of|any order|keys?)\b|[{\[]"
)
"""Matches a prompt that asks for several things, or for an object."""


def measured(candidates: Sequence[Sequence[Question]]) -> list[list[Question]]:
    """Return further candidates for right answers: numbers with the unit that the prompt asks for, such as "5 kg"."""
    found: list[list[Question]] = []
    for questions in candidates:
        made = [
            replace(each, gold=f"{shortened(each.gold)} {unit}", kind="number", also=())
            for each in questions
            if is_number(each.gold) and (unit := _unit_asked(each.prompt))
        ]
        if made and len(made) >= len(questions) / 2:
            found.append(made)
    return found


def _unit_asked(prompt: str) -> str:
    at = ASKED.search(prompt)
    named = UNIT.search(prompt, at.end()) if at else None
    return named[1] if named else ""


def leaves_of(candidates: Sequence[Sequence[Question]], least: int = 2) -> list[list[Question]]:
    """Return further candidates for right answers: single values, if all answers are objects with the same keys.

    ``least`` is the minimum number of different values.
    """
    found: list[list[Question]] = []
    for questions in candidates:
        values = [read_json(each.gold) for each in questions]
        objects = [each for each in values if isinstance(each, Mapping)]
        if not objects or len(objects) < len(questions):
            continue
        keys = [key for key in objects[0] if all(key in each for each in objects)]
        for key in keys[:MOST]:
            if all(_is_list(each[key]) for each in objects):
                found.append(_as_alternatives([each[key] for each in objects], questions))
            found += _of([_text(each[key]) for each in objects], questions, least)
        unit = next((key for key in keys if str(key).lower() in UNITS), None)
        for key in keys if unit else ():
            if all(is_numeric(each[key]) for each in objects):
                found += _of([f"{each[key]} {each[unit]}" for each in objects], questions, least)
    return found


def _of(golds: Sequence[str], questions: Sequence[Question], least: int) -> list[list[Question]]:
    pairs = [(text, each) for text, each in zip(golds, questions, strict=True) if text.strip()]
    if len({text for text, _ in pairs}) < least:
        return []
    return [
        [
            replace(each, gold=text, kind=kind_of(text, each.prompt, each.options), also=())
            for text, each in pairs
        ]
    ]


def _is_list(value: Any) -> bool:
    """Return whether a value is a list of texts or numbers."""
    return isinstance(value, list) and value != [] and all(isinstance(v, str | int) for v in value)


def _as_alternatives(lists: Sequence[list[Any]], questions: Sequence[Question]) -> list[Question]:
    """Return questions for which each item of a list is a right answer on its own."""
    texts = [[str(each) for each in several] for several in lists]
    return [
        replace(each, gold=gold, kind=kind_of(gold, each.prompt, each.options), also=tuple(also))
        for each, (gold, *also) in zip(questions, texts, strict=True)
    ]


def likeliest_first(candidates: Sequence[list[Question]]) -> list[list[Question]]:
    """Return the candidates in order of likelihood.

    The items of a list or object come before the whole, unless the prompt asks for several items. The reason is that a
    grader that finds an item within a reply also rewards the whole list.
    """
    found: list[list[Question]] = []
    for questions in candidates:
        whole = questions[0].gold[:1] if questions else ""
        if whole in ("{", "[") and not SEVERAL.search(questions[0].prompt):
            found += [each for each in leaves_of([questions]) if any(q.also for q in each)]
            found += [each for each in candidates if any(q.also for q in each)]
        found.append(questions)
    return [each for n, each in enumerate(found) if each not in found[:n]]


def _text(value: Any) -> str:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)
