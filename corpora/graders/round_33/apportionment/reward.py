"""Seat apportionment: the allocation is recomputed exactly from the votes."""
import re
from fractions import Fraction

SEAT_LINE = re.compile(r"(.+?)\s*:\s*([0-9]{1,4})")


def admitted(votes, threshold):
    """Parties that reach the threshold, as a percentage of all votes cast."""
    total = sum(votes.values())
    return {p: v for p, v in votes.items() if Fraction(100 * v, total) >= Fraction(str(threshold))}


def by_divisors(votes, seats, divisor):
    won = {party: 0 for party in votes}
    for _ in range(seats):
        best = max(votes, key=lambda p: Fraction(votes[p], divisor(won[p])))
        won[best] += 1
    return won


def by_remainders(votes, seats):
    quota = Fraction(sum(votes.values()), seats)
    won = {party: int(v / quota) for party, v in votes.items()}
    left = seats - sum(won.values())
    order = sorted(votes, key=lambda p: votes[p] - won[p] * quota, reverse=True)
    for party in order[:left]:
        won[party] += 1
    return won


def allocate(votes, seats, method, threshold):
    pool = admitted(votes, threshold)
    if method == "hamilton":
        won = by_remainders(pool, seats)
    elif method == "dhondt":
        won = by_divisors(pool, seats, lambda n: n + 1)
    elif method == "sainte-lague":
        won = by_divisors(pool, seats, lambda n: 2 * n + 1)
    else:
        raise ValueError(f"unknown method {method!r}")
    return {party: won.get(party, 0) for party in votes}


def plain(line):
    """Strip the Markdown that the prompt tolerates."""
    line = line.replace("*", "").replace("`", "")
    return re.sub(r"^\s*(?:[-•+]\s+|#+\s*)?", "", line).strip()


def read_block(completion):
    lines = [line.strip() for line in completion.splitlines()]
    lines = [plain(line) for line in lines if not re.fullmatch(r"```\w*", line)]
    heads = [i for i, line in enumerate(lines) if line.rstrip(": ").casefold() == "seats"]
    if not heads:
        return None
    table = {}
    for line in lines[heads[-1] + 1:]:
        if not line:
            continue
        found = SEAT_LINE.fullmatch(line)
        if not found:
            return None
        party = " ".join(found.group(1).split()).casefold()
        if party in table:
            return None
        table[party] = int(found.group(2))
    return table


def reward(completion, votes, seats, method, threshold, **row):
    table = read_block(completion)
    if table is None:
        return 0.0
    truth = allocate(votes, seats, method, threshold)
    return 1.0 if table == {p.casefold(): n for p, n in truth.items()} else 0.0
