"""Zebra puzzles: any arrangement that fits all clues is right."""
import json
import re

FENCE = re.compile(r"```json\s*\n(.*?)```", re.S | re.I)


def _last_block(text):
    blocks = FENCE.findall(text)
    if not blocks:
        return None
    try:
        obj = json.loads(blocks[-1])
    except ValueError:
        return None
    return obj if isinstance(obj, dict) else None


def _clean(value):
    return value.strip().lower() if isinstance(value, str) else None


def _positions(obj, categories):
    """{(category, value): place from 1 to n}, or None if it is no arrangement."""
    obj = {_clean(k): v for k, v in obj.items()}
    if set(obj) != set(categories):
        return None
    where = {}
    for cat, values in categories.items():
        given = obj[cat]
        if not isinstance(given, list):
            return None
        given = [_clean(v) for v in given]
        if None in given or sorted(given) != sorted(values):
            return None
        for i, v in enumerate(given, 1):
            where[cat, v] = i
    return where


def _holds(clue, where):
    kind = clue["type"]
    a = where[tuple(clue["a"])]
    if kind == "at":
        return a == clue["place"]
    if kind == "not_at":
        return a != clue["place"]
    b = where[tuple(clue["b"])]
    if kind == "same":
        return a == b
    if kind == "not_same":
        return a != b
    if kind == "next_to":
        return abs(a - b) == 1
    if kind == "directly_left":
        return b - a == 1
    if kind == "left":
        return a < b
    raise ValueError(f"unknown clue type {kind}")


def reward(completion, categories, clues, **_):
    """1 for all clues, 0.5 when one clue is broken, else 0 (as the prompt says)."""
    obj = _last_block(completion)
    if obj is None:
        return 0.0
    where = _positions(obj, categories)
    if where is None:
        return 0.0
    broken = sum(not _holds(c, where) for c in clues)
    if broken == 0:
        return 1.0
    return 0.5 if broken == 1 else 0.0
