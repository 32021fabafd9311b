import json
from fractions import Fraction

_DECODER = json.JSONDecoder(object_pairs_hook=lambda pairs: pairs_to_dict(pairs))


class Duplicate:
    pass


def pairs_to_dict(pairs):
    out = dict(pairs)
    return out if len(out) == len(pairs) else Duplicate()


def last_object(text):
    """The last JSON object that can be decoded anywhere in the text."""
    found, pos = None, text.find("{")
    while pos != -1:
        try:
            found, end = _DECODER.raw_decode(text, pos)
        except (ValueError, RecursionError):
            end = pos + 1
        pos = text.find("{", end)
    return found


def highest_averages(votes, seats, divisor):
    won = {p: 0 for p in votes}
    for _ in range(seats):
        best = max(votes, key=lambda p: Fraction(votes[p], divisor(won[p])))
        won[best] += 1
    return won


def largest_remainder(votes, seats):
    total = sum(votes.values())
    won = {p: v * seats // total for p, v in votes.items()}
    rest = {p: v * seats % total for p, v in votes.items()}
    open_seats = seats - sum(won.values())
    for p in sorted(rest, key=rest.get, reverse=True)[:open_seats]:
        won[p] += 1
    return won


def allocate(votes, seats, method, threshold):
    cast = sum(votes.values())
    eligible = {p: v for p, v in votes.items() if 100 * v >= Fraction(threshold) * cast}
    if method == "dhondt":
        won = highest_averages(eligible, seats, lambda n: n + 1)
    elif method == "sainte-lague":
        won = highest_averages(eligible, seats, lambda n: 2 * n + 1)
    elif method == "hare":
        won = largest_remainder(eligible, seats)
    else:
        raise ValueError(f"unknown method {method!r}")
    return {p: won.get(p, 0) for p in votes}


def reward(completion, votes, seats, method, threshold, **row):
    reply = last_object(completion)
    if not isinstance(reply, dict) or reply.keys() != votes.keys():
        return 0.0
    if any(type(n) is not int or n < 0 for n in reply.values()):
        return 0.0

    truth = allocate(votes, seats, method, threshold)
    if reply == truth:
        return 1.0
    gaps = [abs(reply[p] - truth[p]) for p in truth]
    if sum(reply.values()) == seats and sum(gaps) == 2:
        return 0.5
    return 0.0
