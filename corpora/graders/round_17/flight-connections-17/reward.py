"""Reward for building an itinerary out of one day's timetable."""
import re
from datetime import datetime

LABEL = re.compile(r"^\W*itinerary\W*?:(.*)$", re.I | re.M)
CODE = re.compile(r"[A-Z]{2}[0-9]{2,4}")


def clock(text):
    return datetime.strptime(text, "%H:%M")


def parse_codes(completion):
    found = LABEL.findall(completion)
    if not found:
        return None
    text = found[-1].replace("*", "").replace("`", "").strip().rstrip(".")
    codes = [part.strip().upper() for part in re.split(r"->|→|>", text)]
    if not all(CODE.fullmatch(c) for c in codes):
        return None
    return codes


def legs_of(codes, flights):
    table = {f["code"]: f for f in flights}
    if len(set(codes)) != len(codes):
        return None
    if any(c not in table for c in codes):
        return None
    return [table[c] for c in codes]


def connects(before, after, minimum):
    """True if a passenger off `before` can board `after` at the shared airport."""
    if before["to"] != after["from"]:
        return False
    wait = clock(after["dep"]) - clock(before["arr"])
    return wait.seconds // 60 >= minimum[before["to"]]


def within_limits(legs, limits):
    if len(legs) > limits["max_flights"]:
        return False
    if sum(leg["fare"] for leg in legs) > limits["budget"]:
        return False
    if clock(legs[0]["dep"]) < clock(limits["not_before"]):
        return False
    return clock(legs[-1]["arr"]) <= clock(limits["arrive_by"])


def reward(completion, origin, destination, flights, minimum, limits, **row):
    codes = parse_codes(completion)
    if not codes:
        return 0.0
    legs = legs_of(codes, flights)
    if legs is None:
        return 0.0
    if legs[0]["from"] != origin or legs[-1]["to"] != destination:
        return 0.0
    if not all(connects(a, b, minimum) for a, b in zip(legs, legs[1:])):
        return 0.0
    return 1.0 if within_limits(legs, limits) else 0.0
