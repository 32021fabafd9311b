"""Equal-sum partition checker. Any valid split is right; some rows have none."""
import json
import re
from collections import Counter

LINE = re.compile(r"^[ \t*]*groups[ \t*]*:[ \t*]*(.*)$", re.IGNORECASE | re.MULTILINE)


def last_line(completion):
    found = LINE.findall(completion)
    return found[-1].strip().rstrip("*.").strip() if found else None


def parse_groups(text):
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, list) or not all(isinstance(g, list) for g in value):
        return None
    for group in value:
        if any(type(x) is not int for x in group):
            return None
    return value


def valid(split, numbers, groups, size, apart):
    if len(split) != groups or any(not g for g in split):
        return False
    if Counter(x for g in split for x in g) != Counter(numbers):
        return False
    if len({sum(g) for g in split}) != 1:
        return False
    if size is not None and any(len(g) != size for g in split):
        return False
    return not any(a in g and b in g for a, b in apart for g in split)


def reward(completion, numbers, groups, size=None, apart=(), possible=True, **row):
    if not isinstance(completion, str):
        return 0.0
    line = last_line(completion)
    if line is None:
        return 0.0
    if line.lower() == "impossible":
        return 0.0 if possible else 1.0
    split = parse_groups(line)
    if split is None:
        return 0.0
    return 1.0 if valid(split, numbers, groups, size, apart or ()) else 0.0
