"""Pairwise (Kendall-style) reward for rankings with ties.

Each row has `items` = [name, first key, second key] and `descending` = one flag per key.
The score is the share of pairs that stand in the right order; tied pairs are always right.
"""
import re
from itertools import combinations

LINE = re.compile(r"^[*\s]*ranking[*\s]*:(.+)$", re.IGNORECASE | re.MULTILINE)


def sort_key(values, descending):
    return tuple(-value if down else value for value, down in zip(values, descending))


def read_ranking(completion):
    found = LINE.findall(completion)
    if not found:
        return None
    names = re.split(r"[,>]", found[-1])
    names = [re.sub(r"^\s*\d+[.)]\s*", "", name).strip(" *`.") for name in names]
    return [name.lower() for name in names if name]


def pair_score(order, keys):
    """Share of pairs in `order` that do not contradict `keys`."""
    good = total = 0
    for first, second in combinations(order, 2):
        total += 1
        if keys[first] <= keys[second]:
            good += 1
    return good / total if total else 0.0


def reward(completions, items, descending, **columns):
    scores = []
    for completion, entries, down in zip(completions, items, descending):
        if isinstance(completion, list):  # conversational format
            completion = completion[-1]["content"]
        keys = {name.lower(): sort_key(values, down) for name, *values in entries}
        order = read_ranking(completion)
        if not order or len(set(order)) != len(order):
            scores.append(0.0)
            continue
        if any(name not in keys for name in order):
            scores.append(0.0)
            continue
        scores.append(round(pair_score(order, keys), 4))
    return scores
