"""Reward for sorting small record sets by several keys, with ties left open."""
import datetime
import re

PARTIAL = 0.3


def rank(value, kind, scale=None):
    """Map a cell to something that compares the way the prompt says."""
    if kind == "number":
        return value
    if kind == "text":
        return value.casefold()
    if kind == "date":
        day, month, year = map(int, value.split("/"))
        return datetime.date(year, month, day).toordinal()
    if kind == "scale":
        return scale.index(value)
    raise KeyError(kind)


def compare(a, b, key):
    """-1, 0 or 1: where record a belongs relative to record b under one key."""
    left, right = a[key["field"]], b[key["field"]]
    if left is None or right is None:
        # blanks go last whatever the direction
        return (left is None) - (right is None)
    left = rank(left, key["kind"], key.get("scale"))
    right = rank(right, key["kind"], key.get("scale"))
    sign = (left > right) - (left < right)
    return -sign if key["desc"] else sign


def in_order(sequence, keys):
    for a, b in zip(sequence, sequence[1:]):
        for key in keys:
            verdict = compare(a, b, key)
            if verdict > 0:
                return False
            if verdict < 0:
                break
    return True


def parse_order(completion):
    found = re.findall(r"^\s*order:(.*)$", completion, re.IGNORECASE | re.MULTILINE)
    if not found:
        return None
    line = found[-1].strip().removesuffix(".")
    return [part.strip().upper() for part in re.split(r"[,>]", line)]


def reward(completion, records, keys, **row) -> float:
    order = parse_order(completion)
    if order is None:
        return 0.0
    by_id = {record["id"]: record for record in records}
    if sorted(order) != sorted(by_id):
        return 0.0
    sequence = [by_id[name] for name in order]
    if in_order(sequence, keys):
        return 1.0
    return PARTIAL if in_order(sequence, keys[:1]) else 0.0
