"""Division of indivisible goods: envy-free up to one item, with a floor."""
import re

HEADER = re.compile(r"^[ \t*#_]*ALLOCATION[ \t*_]*:?[ \t*_\r]*$", re.M)
FAIR_ONLY = 0.6
EMPTY = {"nothing", "none", "-"}


def key(text):
    return " ".join(text.strip(" \t*_`").split()).casefold()


def read_line(line):
    """'Name: a, b' as (name, [items]); None when it is no such line."""
    line = re.sub(r"^\s*[-*•]\s+", "", line)
    name, colon, rest = line.partition(":")
    if not colon:
        return None
    rest = rest.strip(" \t*_`").rstrip(".")
    if key(rest) in EMPTY:
        return key(name), []
    return key(name), [key(part) for part in rest.split(",")]


def read_allocation(completion, people, items):
    """{person: set of items}, or None unless every item goes to one person."""
    headers = list(HEADER.finditer(completion))
    if not headers:
        return None
    wanted = {key(p): p for p in people}
    things = {key(i): i for i in items}
    shares, given = {}, []
    for line in completion[headers[-1].end():].splitlines():
        if not line.strip():
            continue
        parsed = read_line(line)
        if parsed is None:
            return None
        name, goods = parsed
        if name not in wanted or wanted[name] in shares:
            return None
        if any(g not in things for g in goods):
            return None
        shares[wanted[name]] = {things[g] for g in goods}
        given.extend(goods)
    if len(shares) != len(people) or sorted(given) != sorted(things):
        return None
    return shares


def envy_free_up_to_one(shares, values):
    for person, own in shares.items():
        worth = values[person]
        mine = sum(worth[i] for i in own)
        for other, goods in shares.items():
            if other == person or not goods:
                continue
            theirs = [worth[i] for i in goods]
            if mine < sum(theirs) - max(theirs):
                return False
    return True


def reward(completion, people, items, values, floor, **row) -> float:
    shares = read_allocation(completion, people, items)
    if shares is None or not envy_free_up_to_one(shares, values):
        return 0.0
    poorest = min(sum(values[p][i] for i in shares[p]) for p in people)
    return 1.0 if poorest >= floor else FAIR_ONLY
