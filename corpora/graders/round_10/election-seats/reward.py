"""Seat apportionment (D'Hondt, Sainte-Lague, largest remainder).

1.0 for the exact allocation, 0.5 when exactly one seat went to the wrong party
(as the prompt says), else 0.0.
"""
import json
import re

OBJECT = re.compile(r"\{[^{}]*\}")


def no_duplicates(pairs):
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("duplicate key")
    return out


def extract(completion):
    found = OBJECT.findall(completion)
    if not found:
        return None
    try:
        return json.loads(found[-1], object_pairs_hook=no_duplicates)
    except ValueError:
        return None


def reward(completion, seats, **_):
    """seats: party -> seats, every party on the ballot, zeros included."""
    answer = extract(completion)
    if answer is None:
        return 0.0
    if set(answer) != set(seats):
        return 0.0
    for value in answer.values():
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            return 0.0
    if sum(answer.values()) != sum(seats.values()):
        return 0.0
    moved = sum(abs(answer[p] - seats[p]) for p in seats)
    if moved == 0:
        return 1.0
    return 0.5 if moved == 2 else 0.0
