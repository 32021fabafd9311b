"""Verifier for gift exchanges.

Any plan that satisfies the rules of the row is worth 1.0; there is no
reference plan, since most rows have many solutions.
"""
import re
import unicodedata

HEADER = "PLAN"
PAIR = re.compile(r"^(.+?)\s*(?:->|→)\s*(.+)$")


def key(name):
    """Names are compared without regard to case and spacing."""
    name = unicodedata.normalize("NFC", name)
    return " ".join(name.split()).casefold()


def read_plan(text):
    """Pairs (giver, receiver) below the last header, or None if unreadable."""
    lines = [line.strip() for line in text.splitlines()]
    heads = [i for i, line in enumerate(lines) if line == HEADER]
    if not heads:
        return None
    pairs = []
    for line in lines[heads[-1] + 1:]:
        if not line:
            continue
        match = PAIR.match(line)
        if match is None:
            return None
        pairs.append((key(match[1]), key(match[2])))
    return pairs


def is_permutation(pairs, people):
    want = sorted(people)
    return (sorted(g for g, _ in pairs) == want
            and sorted(r for _, r in pairs) == want)


def one_ring(gives):
    """True if following the gifts from anyone visits everybody."""
    start = next(iter(gives))
    seen, at = 1, gives[start]
    while at != start:
        seen += 1
        at = gives[at]
    return seen == len(gives)


def reward(completion, people, households, last_year, single_ring, **row):
    pairs = read_plan(completion)
    if not pairs:
        return 0.0
    if not is_permutation(pairs, [key(p) for p in people]):
        return 0.0

    home = {}
    for number, members in enumerate(households):
        for person in members:
            home[key(person)] = number
    barred = {(key(g), key(r)) for g, r in last_year}
    gives = dict(pairs)

    for giver, receiver in gives.items():
        if giver == receiver:
            return 0.0
        if giver in home and home[giver] == home.get(receiver):
            return 0.0
        if (giver, receiver) in barred:
            return 0.0
        if gives[receiver] == giver:
            return 0.0
    if single_ring and not one_ring(gives):
        return 0.0
    return 1.0
