"""Logic puzzle: one person per day. Every assignment that fits is right."""
import re

LINE = re.compile(r"^[ \t>*_]*assignment[ \t*_]*:[ \t*_]*(.+)$", re.I | re.M)
PAIR = re.compile(r"^\s*(\w+)\s*=\s*(\w+)\s*$")


def parse(completion):
    """dict person -> day (lower case) from the last line, or None."""
    lines = LINE.findall(completion)
    if not lines:
        return None
    out = {}
    for part in lines[-1].strip(" \t\r*_.`").split(","):
        pair = PAIR.match(part)
        if not pair:
            return None
        person, day = pair.group(1).lower(), pair.group(2).lower()
        if person in out:
            return None
        out[person] = day
    return out


def holds(rule, pos, days):
    """Does one constraint hold? pos: person -> index of the day."""
    kind, args = rule[0], rule[1:]
    if kind == "before":
        return pos[args[0]] < pos[args[1]]
    if kind == "adjacent":
        return abs(pos[args[0]] - pos[args[1]]) == 1
    if kind == "not_adjacent":
        return abs(pos[args[0]] - pos[args[1]]) != 1
    if kind == "not_on":
        return days[pos[args[0]]] != args[1]
    if kind == "one_of":
        return days[pos[args[0]]] in args[1:]
    if kind == "if_on":  # if A is on day d, then B comes before C
        person, day, first, second = args
        return days[pos[person]] != day or pos[first] < pos[second]
    if kind == "between":  # A somewhere between B and C, in either direction
        low, high = sorted((pos[args[1]], pos[args[2]]))
        return low < pos[args[0]] < high
    raise KeyError(kind)


def reward(completion, people, days, constraints, **kwargs):
    found = parse(completion)
    if found is None or set(found) != {p.lower() for p in people}:
        return 0.0
    order = [d.lower() for d in days]
    if sorted(found.values()) != sorted(order):
        return 0.0
    pos = {p: order.index(found[p.lower()]) for p in people}
    return 1.0 if all(holds(c, pos, days) for c in constraints) else 0.0
