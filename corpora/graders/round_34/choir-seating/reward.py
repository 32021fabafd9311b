"""Seating plans for a choir: any plan that keeps the rules will do."""
import re

PLAN = re.compile(r"<plan>(.*?)</plan>", re.DOTALL | re.IGNORECASE)


def parse_plan(completion):
    """Rows of lower-case names, front row first."""
    found = PLAN.findall(completion)
    if not found:
        return None
    rows = []
    for line in found[-1].splitlines():
        if line.strip():
            rows.append([name.strip().lower() for name in line.split(",")])
    return rows


def seats(plan, singers, rows, width):
    """Name -> (row, place), or None unless everybody sits exactly once in a full rectangle."""
    if len(plan) != rows or any(len(line) != width for line in plan):
        return None
    at = {}
    for r, line in enumerate(plan, 1):
        for c, name in enumerate(line, 1):
            if name in at:
                return None
            at[name] = (r, c)
    return at if set(at) == {s.lower() for s in singers} else None


def kept(rule, at, width):
    kind = rule["kind"]
    r, c = at[rule["a"].lower()]
    if kind == "row":
        return r == rule["row"]
    if kind == "end":
        return c in (1, width)
    if kind == "not_end":
        return c not in (1, width)
    r2, c2 = at[rule["b"].lower()]
    if kind == "beside":
        return r == r2 and abs(c - c2) == 1
    if kind == "apart":
        return abs(r - r2) + abs(c - c2) != 1
    if kind == "directly_in_front":
        return c == c2 and r == r2 - 1
    if kind == "nearer_front":
        return r < r2
    if kind == "left_in_row":
        return r == r2 and c < c2
    raise ValueError(f"unknown rule {kind!r}")


def reward(completion, singers, rows, width, rules, **row):
    plan = parse_plan(completion)
    if plan is None:
        return 0.0
    at = seats(plan, singers, rows, width)
    if at is None:
        return 0.0
    good = sum(kept(rule, at, width) for rule in rules)
    if good == len(rules):
        return 1.0
    return 0.5 * good / len(rules)
