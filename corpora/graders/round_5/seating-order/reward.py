"""Seating puzzles. Most have several right answers, so the reply is checked
against the rules and not against a stored order."""
import re

LINE = re.compile(r"[*_`\s]*order[*_\s]*:[*_\s]*(.*?)[*_`\s.]*", re.IGNORECASE)


def _holds(rule, pos, n):
    kind, names = rule[0], [x.lower() for x in rule[1:] if isinstance(x, str)]
    p = [pos[x] for x in names]
    if kind == "left_of":            # somewhere to the left
        return p[0] < p[1]
    if kind == "directly_left_of":
        return p[0] + 1 == p[1]
    if kind == "next_to":
        return abs(p[0] - p[1]) == 1
    if kind == "not_next_to":
        return abs(p[0] - p[1]) != 1
    if kind == "at_end":
        return p[0] in (1, n)
    if kind == "not_at_end":
        return p[0] not in (1, n)
    if kind == "seat":
        return p[0] == rule[2]
    if kind == "not_seat":
        return p[0] != rule[2]
    if kind == "between":            # first is somewhere between the other two
        return min(p[1], p[2]) < p[0] < max(p[1], p[2])
    if kind == "apart":              # exactly rule[3] people between them
        return abs(p[0] - p[1]) == rule[3] + 1
    raise KeyError(kind)


def seating_reward(prompts, completions, people, rules, **kwargs):
    rewards = []
    for completion, names, rs in zip(completions, people, rules):
        text = completion if isinstance(completion, str) else completion[-1]["content"]
        lines = [l for l in text.splitlines() if l.strip()]
        m = LINE.fullmatch(lines[-1]) if lines and len(lines[-1]) <= 200 else None
        if not m:
            rewards.append(0.0)
            continue
        order = [x.strip(" \t*_").lower() for x in m.group(1).split(",")]
        if sorted(order) != sorted(n.lower() for n in names):
            rewards.append(0.0)
            continue
        pos = {name: i for i, name in enumerate(order, 1)}
        rewards.append(1.0 if all(_holds(r, pos, len(order)) for r in rs) else 0.0)
    return rewards
