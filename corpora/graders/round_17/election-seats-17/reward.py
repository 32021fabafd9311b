"""Reward for apportioning seats from a vote table."""
import re
from fractions import Fraction

ITEM = re.compile(r"(.+?)\s*=\s*([0-9]{1,4})")


def admitted(votes, threshold):
    total = sum(votes.values())
    bar = Fraction(str(threshold)) / 100
    return {p: v for p, v in votes.items() if Fraction(v, total) >= bar}


def highest_averages(votes, seats, divisor):
    won = dict.fromkeys(votes, 0)
    for _ in range(seats):
        best = min(votes, key=lambda p: (-Fraction(votes[p], divisor(won[p])), -votes[p], p))
        won[best] += 1
    return won


def largest_remainder(votes, seats):
    total = sum(votes.values())
    quotas = {p: Fraction(v * seats, total) for p, v in votes.items()}
    won = {p: int(q) for p, q in quotas.items()}
    order = sorted(votes, key=lambda p: (-(quotas[p] - won[p]), -votes[p], p))
    for p in order[: seats - sum(won.values())]:
        won[p] += 1
    return won


def allocate(votes, seats, method, threshold):
    inside = admitted(votes, threshold)
    if method == "dhondt":
        won = highest_averages(inside, seats, lambda n: n + 1)
    elif method == "sainte-lague":
        won = highest_averages(inside, seats, lambda n: 2 * n + 1)
    elif method == "hare":
        won = largest_remainder(inside, seats)
    else:
        raise ValueError(method)
    return {p: won.get(p, 0) for p in votes}


def parse(completion, parties):
    last = None
    for line in completion.splitlines():
        line = line.replace("*", "").replace("`", "").replace("’", "'").strip()
        if line.upper().startswith("SEATS:"):
            last = line[len("SEATS:"):].strip().rstrip(".")
    if last is None:
        return None
    canon = {p.casefold(): p for p in parties}
    got = {}
    for chunk in re.split(r"[,;]", last):
        m = ITEM.fullmatch(chunk.strip())
        if not m:
            return None
        party = canon.get(" ".join(m.group(1).split()).casefold())
        if party is None or party in got:
            return None
        got[party] = int(m.group(2))
    return {p: got.get(p, 0) for p in parties}


def reward(completion, votes, seats, method, threshold, **row):
    got = parse(completion, votes)
    if got is None or sum(got.values()) != seats:
        return 0.0
    want = allocate(votes, seats, method, threshold)
    gap = sum(abs(got[p] - want[p]) for p in votes)
    if gap == 0:
        return 1.0
    return 0.5 if gap == 2 else 0.0
