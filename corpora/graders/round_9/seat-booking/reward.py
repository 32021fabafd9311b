"""Reward for placing groups in a small theatre; many seatings can be right."""
import json
import re

BLOCK_RE = re.compile(r"```(?:json)?\s*(\{.*?\})\s*```", re.DOTALL | re.IGNORECASE)


def unique_pairs(pairs):
    keys = [k for k, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("repeated key")
    return dict(pairs)


def extract_json(completion):
    """The last fenced JSON object, or the whole reply when it is one."""
    blocks = BLOCK_RE.findall(completion)
    text = blocks[-1] if blocks else completion.strip()
    try:
        value = json.loads(text, object_pairs_hook=unique_pairs)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def parse_seat(seat, rows, per_row):
    """'B7' -> ('B', 7), or None when there is no such seat."""
    if not isinstance(seat, str):
        return None
    m = re.fullmatch(r"([A-Z])([1-9][0-9]?)", seat.strip().upper())
    if not m or m.group(1) not in rows or int(m.group(2)) > per_row:
        return None
    return m.group(1), int(m.group(2))


def side_by_side(seats):
    numbers = sorted(n for _, n in seats)
    one_row = len({r for r, _ in seats}) == 1
    return one_row and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def wish_holds(wish, seats, rows, per_row):
    if wish == "aisle":
        return any(n in (1, per_row) for _, n in seats)
    if wish == "front":
        return all(r == rows[0] for r, _ in seats)
    if wish == "not_front":
        return all(r != rows[0] for r, _ in seats)
    if wish == "back":
        return all(r == rows[-1] for r, _ in seats)
    raise ValueError(wish)


def reward(completion, rows, per_row, taken, groups, feasible, **row):
    """1.0 for a seating that fulfils everything, or for a right 'impossible'."""
    plan = extract_json(completion)
    if plan is None:
        return 0.0
    if plan == {"impossible": True} and plan["impossible"] is True:
        return 0.0 if feasible else 1.0
    if set(plan) != {g["name"] for g in groups}:
        return 0.0
    used = {parse_seat(s, rows, per_row) for s in taken}
    for group in groups:
        listed = plan[group["name"]]
        if not isinstance(listed, list) or len(listed) != group["size"]:
            return 0.0
        seats = [parse_seat(s, rows, per_row) for s in listed]
        if None in seats or len(set(seats)) != len(seats) or used & set(seats):
            return 0.0
        if not side_by_side(seats):
            return 0.0
        if not all(wish_holds(w, seats, rows, per_row) for w in group["wishes"]):
            return 0.0
        used |= set(seats)
    return 1.0
