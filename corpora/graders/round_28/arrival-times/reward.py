"""Arrival time of a journey over several legs, on the 24-hour or the 12-hour clock."""
import re
from fractions import Fraction

LINE = re.compile(r"^[ \t*]*Arrival:[ \t*]*(.+?)[ \t*.]*$", re.M | re.I)
CLOCK = re.compile(
    r"(?P<h>\d{1,2})[:.](?P<m>\d{2})\s*(?P<half>[ap]\.?m\.?)?"
    r"\s*(?:\(?\+\s*(?P<days>\d)(?:\s*days?)?\)?)?",
    re.I | re.A,
)
DAY = 24 * 60
SLACK = 1


def read_arrival(completion):
    """Minutes since midnight of the day of departure, or None."""
    lines = LINE.findall(completion)
    if not lines:
        return None
    m = CLOCK.fullmatch(lines[-1].strip())
    if not m:
        return None
    hour, minute = int(m["h"]), int(m["m"])
    if minute > 59:
        return None
    if m["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if m["half"][0] in "pP" else 0)
    elif hour > 23:
        return None
    return int(m["days"] or 0) * DAY + hour * 60 + minute


def leg_minutes(leg):
    """Duration of a leg: a wait or ride in minutes, or a distance at a speed."""
    if "minutes" in leg:
        return Fraction(leg["minutes"])
    return Fraction(leg["km"]) * 60 / Fraction(leg["kmh"])


def journey_end(depart, legs):
    hour, minute = map(int, depart.split(":"))
    return hour * 60 + minute + sum(leg_minutes(leg) for leg in legs)


def gap(a, b):
    """Distance of two readings of the clock in minutes."""
    around = abs(a - b) % DAY
    return min(around, DAY - around)


def reward(completion, depart, legs, **row) -> float:
    if not isinstance(completion, str):
        return 0.0
    given = read_arrival(completion)
    if given is None:
        return 0.0
    return 1.0 if gap(given, journey_end(depart, legs)) <= SLACK else 0.0
