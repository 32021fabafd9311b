"""Checks a one-room day plan; any plan that keeps the rules is right."""
import re

PLAN = re.compile(r"<plan>(.*?)</plan>", re.DOTALL | re.IGNORECASE)
SLOT = re.compile(r"^[-*\s]*([A-Z])\s*:?\s+(\d{1,2}:\d{2})\s*[-\u2013]\s*(\d{1,2}:\d{2})$")
_SPECS = {}


def minutes(clock):
    hours, mins = clock.split(":")
    return int(hours) * 60 + int(mins)


def load_spec(id, jobs, rules, opens, closes):
    """Parse the compact columns once; a group of rollouts shares the row."""
    if id not in _SPECS:
        length = {}
        for part in jobs.split(","):
            name, mins = part.split(":")
            length[name] = int(mins)
        parsed = []
        for rule in rules.split(";"):
            left, op, right = re.match(r"(\w+)(<=|>=|<)(.+)", rule).groups()
            parsed.append((left, op, right if op == "<" else minutes(right)))
        _SPECS[id] = (length, parsed, minutes(opens), minutes(closes))
    return _SPECS[id]


def read_plan(completion):
    blocks = PLAN.findall(completion)
    if not blocks:
        return None
    plan = []
    for line in blocks[-1].strip().splitlines():
        if not line.strip():
            continue
        match = SLOT.match(line.strip())
        if match is None or int(match[2][-2:]) > 59 or int(match[3][-2:]) > 59:
            return None
        plan.append((match[1], minutes(match[2]), minutes(match[3])))
    return plan


def rule_holds(rule, start, end):
    left, op, right = rule
    if op == "<":
        return end[left] <= start[right]
    if op == ">=":
        return start[left] >= right
    return end[left] <= right


def reward(completion, id, jobs, rules, opens, closes, **row):
    length, parsed, first, last = load_spec(id, jobs, rules, opens, closes)
    plan = read_plan(completion or "")
    if not plan or sorted(name for name, _, _ in plan) != sorted(length):
        return 0.0
    start = {name: s for name, s, _ in plan}
    end = {name: e for name, _, e in plan}
    if any(end[n] - start[n] != length[n] for n in length):
        return 0.0
    if min(start.values()) < first or max(end.values()) > last:
        return 0.0
    slots = sorted((s, e) for _, s, e in plan)
    if any(a[1] > b[0] for a, b in zip(slots, slots[1:])):
        return 0.0
    return 1.0 if all(rule_holds(r, start, end) for r in parsed) else 0.0
