"""Seating plans: any plan that keeps the wishes counts."""
import re

LABEL = re.compile(r"^[\s*_`>-]*seats[*_`\s]*:(.*)$", re.IGNORECASE)


def parse_plan(completion):
    text = None
    for line in completion.splitlines():
        match = LABEL.match(line)
        if match:
            text = match.group(1)
    if text is None:
        return None
    text = text.replace("*", "").replace("`", "").strip().rstrip(".")
    names = []
    for part in text.split(","):
        part = re.sub(r"^\s*\d+\s*[.):=]\s*", "", part)
        names.append(part.strip().lower())
    return names


def distance(a, b, size, shape):
    """Number of seats from a to b, the short way round at a round table."""
    gap = abs(a - b)
    return min(gap, size - gap) if shape == "round" else gap


def holds(wish, seat, shape):
    """Is one wish kept? `seat` maps lower-case names to seats 1..n."""
    kind, args, size = wish["kind"], wish["args"], len(seat)
    a = seat[args[0].lower()]
    if kind == "seat":
        return a == args[1]
    if kind == "end":
        return a in (1, size)
    b = seat[args[1].lower()]
    if kind == "next":
        return distance(a, b, size, shape) == 1
    if kind == "apart":
        return distance(a, b, size, shape) > 1
    if kind == "opposite":
        return 2 * distance(a, b, size, shape) == size
    if kind == "before":
        return a < b
    if kind == "clockwise":
        return (a - b) % size == 1
    if kind == "between":
        c = seat[args[2].lower()]
        return (distance(a, b, size, shape) == 1 and distance(a, c, size, shape) == 1)
    raise ValueError(kind)


def reward(completion, guests, shape, wishes, **row):
    names = parse_plan(completion or "")
    if names is None or sorted(names) != sorted(g.lower() for g in guests):
        return 0.0
    seat = {name: i for i, name in enumerate(names, start=1)}
    broken = sum(not holds(w, seat, shape) for w in wishes)
    if broken == 0:
        return 1.0
    return 0.5 if broken == 1 else 0.0
