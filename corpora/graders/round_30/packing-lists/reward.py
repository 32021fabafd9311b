"""Packing a bag: the most useful allowed choice of things under a weight limit."""
import re
from fractions import Fraction
from itertools import combinations

HEAD = re.compile(r"#{0,6}\s*pack:", re.IGNORECASE)
BULLET = re.compile(r"(?:[-*\u2022]|\d{1,2}[.)])\s*(\S.*)")
NEAR = Fraction(9, 10)


def allowed(names, items, limit, needs, never):
    chosen = set(names)
    if sum(items[n][0] for n in chosen) > limit:
        return False
    if any(a in chosen and b not in chosen for a, b in needs):
        return False
    return not any(a in chosen and b in chosen for a, b in never)


def worth(names, items):
    return sum(items[n][1] for n in names)


def best_worth(items, limit, needs, never):
    """Try every choice; the tables hold ten things at the most."""
    best = 0
    for size in range(len(items) + 1):
        for names in combinations(items, size):
            if worth(names, items) > best and allowed(names, items, limit, needs, never):
                best = worth(names, items)
    return best


def parse_list(completion):
    lines = [ln.strip() for ln in completion.replace("**", "").splitlines()]
    starts = [i for i, ln in enumerate(lines) if HEAD.fullmatch(ln)]
    if not starts:
        return None
    names = []
    for line in lines[starts[-1] + 1:]:
        if not line:
            continue
        match = BULLET.fullmatch(line)
        if not match:
            return None
        names.append(" ".join(match.group(1).lower().split()))
    return names


def reward(completion, items, limit, needs, never, **row):
    table = {name.lower(): (weight, points) for name, weight, points in items}
    needs = [(a.lower(), b.lower()) for a, b in needs]
    never = [(a.lower(), b.lower()) for a, b in never]
    names = parse_list(completion)
    if not names or len(set(names)) != len(names) or not set(names) <= table.keys():
        return 0.0
    if not allowed(names, table, limit, needs, never):
        return 0.0
    best = best_worth(table, limit, needs, never)
    got = worth(names, table)
    if got == best:
        return 1.0
    return 0.5 if got >= NEAR * best else 0.0
