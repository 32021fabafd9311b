"""Course planning: any order that respects the prerequisites is accepted.

Columns: courses (list), before (list of [x, y]: x earlier than y),
adjacent (list of [x, y]: y directly after x), feasible (bool).
"""
import re

LINE = re.compile(r"^[ \t*#`]*order[*`]*[ \t]*:[ \t*`]*(.+?)[ \t]*$", re.I | re.M)


def _text(completion):
    if isinstance(completion, str):
        return completion
    return completion[-1]["content"]


def _final_order(text):
    found = LINE.findall(text)
    if not found:
        return None
    line = found[-1].strip().strip("*`").strip().rstrip(".")
    if line.lower() == "impossible":
        return "impossible"
    parts = re.split(r"\s*(?:->|→|>|,)\s*", line)
    return [p.strip("*` ").upper() for p in parts]


def _valid(order, courses, before, adjacent):
    if sorted(order) != sorted(courses):
        return False
    pos = {c: i for i, c in enumerate(order)}
    if any(pos[x] >= pos[y] for x, y in before):
        return False
    return all(pos[y] == pos[x] + 1 for x, y in adjacent)


def reward(completions, courses, before, adjacent, feasible, **kwargs):
    scores = []
    for comp, cs, bf, adj, ok in zip(completions, courses, before, adjacent, feasible):
        order = _final_order(_text(comp))
        if order is None:
            scores.append(0.0)
        elif order == "impossible":
            scores.append(0.0 if ok else 1.0)
        else:
            scores.append(1.0 if _valid(order, cs, bf, adj) else 0.0)
    return scores
