"""Grouped frequency tables as JSON.

Parts: absolute counts 0.5, relative frequencies 0.3, modal classes 0.2.
"""
import json
import re

BLOCK = re.compile(r"```json[ \t]*\r?\n(.*?)```", re.S)
TOL = 0.0005 + 1e-9
WEIGHTS = {"counts": 0.5, "relative": 0.3, "modal": 0.2}


def unique_keys(pairs):
    keys = [k for k, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("repeated key")
    return dict(pairs)


def load_table(text):
    blocks = BLOCK.findall(text)
    if not blocks:
        return None
    try:
        table = json.loads(blocks[-1], object_pairs_hook=unique_keys)
    except (ValueError, RecursionError):
        return None
    return table if isinstance(table, dict) else None


def is_number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def is_count(x):
    return isinstance(x, int) and not isinstance(x, bool)


def tally(data, bounds):
    """Classes are [low, high), except that the last one includes its end."""
    last = len(bounds) - 2
    counts = [0] * (last + 1)
    for value in data:
        for i in range(last + 1):
            low, high = bounds[i], bounds[i + 1]
            if low <= value < high or (i == last and value == high):
                counts[i] += 1
                break
    return counts


def by_class(rows, bounds):
    """The rows of the reply in the order of the classes, or None."""
    if not isinstance(rows, list) or len(rows) != len(bounds) - 1:
        return None
    found = {}
    for row in rows:
        if not isinstance(row, dict):
            return None
        low, high = row.get("from"), row.get("to")
        if not (is_number(low) and is_number(high)):
            return None
        found[low, high] = row
    wanted = list(zip(bounds, bounds[1:]))
    if set(found) != set(wanted):
        return None
    return [found[pair] for pair in wanted]


def near(x, exact):
    try:
        return is_number(x) and abs(x - exact) <= TOL
    except OverflowError:
        return False


def reward(completion, data, bounds, **row):
    table = load_table(completion)
    if table is None:
        return 0.0
    rows = by_class(table.get("classes"), bounds)
    if rows is None:
        return 0.0
    counts = tally(data, bounds)
    score = 0.0
    if all(is_count(r.get("count")) and r["count"] == c for r, c in zip(rows, counts)):
        score += WEIGHTS["counts"]
    if all(near(r.get("relative"), c / len(data)) for r, c in zip(rows, counts)):
        score += WEIGHTS["relative"]
    top = sorted(low for low, c in zip(bounds, counts) if c == max(counts))
    modal = table.get("modal")
    if isinstance(modal, list) and all(is_number(m) for m in modal) and sorted(modal) == top:
        score += WEIGHTS["modal"]
    return round(score, 6)
