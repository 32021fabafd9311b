"""Right answers that stand inside an object of the data: each value of it, and a number with the unit beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from skill_tools.play.answers.item import Item, kind_of

MOST = 8
"""Values of an object that are tried."""
UNITS = ("unit", "units", "symbol", "dimension")
"""Keys that have a unit."""


def leaves_of(candidates: Sequence[Sequence[Item]]) -> list[list[Item]]:
    """Further candidates, of those whose answers are objects with the same keys."""
    found: list[list[Item]] = []
    for questions in candidates:
        values = [_read(each.gold) for each in questions]
        objects = [each for each in values if isinstance(each, Mapping)]
        if not objects or len(objects) < len(questions):
            continue
        keys = [key for key in objects[0] if all(key in each for each in objects)]
        for key in keys[:MOST]:
            found += _of([_text(each[key]) for each in objects], questions)
        unit = next((key for key in keys if str(key).lower() in UNITS), None)
        for key in keys if unit else ():
            if all(_is_number(each[key]) for each in objects):
                found += _of([f"{each[key]} {each[unit]}" for each in objects], questions)
    return found


def _of(golds: Sequence[str], questions: Sequence[Item]) -> list[list[Item]]:
    pairs = [(text, each) for text, each in zip(golds, questions, strict=True) if text.strip()]
    if len({text for text, _ in pairs}) < 2:
        return []
    return [
        [
            replace(each, gold=text, kind=kind_of(text, each.prompt, each.options), also=())
            for text, each in pairs
        ]
    ]


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _text(value: Any) -> str:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
