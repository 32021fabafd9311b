"""Dead reckoning on a flat map: bearing and distance after several legs."""
import math
import re

BEARING_TOL = 0.5      # degrees, round the circle
DISTANCE_TOL = 0.01    # share of the true distance
EPS = 1e-9

LINE = re.compile(r"^[ \t*_]*(bearing|distance)[ \t*_]*:(.*)$", re.I | re.M)
DEG = r"\s*(?:°|deg\.?|degrees?)?\s*"
FULL_CIRCLE = re.compile(rf"([0-9]{{1,3}}(?:\.[0-9]+)?){DEG}", re.I)
QUADRANT = re.compile(rf"([NS])\s*([0-9]{{1,2}}(?:\.[0-9]+)?){DEG}([EW])", re.I)
LENGTH = re.compile(
    r"([0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]{1,9}(?:\.[0-9]+)?)\s*"
    r"(km|kilomet(?:re|er)s?|m|met(?:re|er)s?)",
    re.I,
)


def last_fields(completion):
    """The text of the last 'Bearing:' line and of the last 'Distance:' line."""
    fields = {}
    for name, text in LINE.findall(completion):
        fields[name.lower()] = text.strip(" \t\r*_")
    return fields


def parse_bearing(text):
    m = FULL_CIRCLE.fullmatch(text)
    if m:
        value = float(m.group(1))
        return value % 360 if value <= 360 else None
    m = QUADRANT.fullmatch(text)
    if not m:
        return None
    angle = float(m.group(2))
    if angle > 90:
        return None
    north, east = m.group(1).upper() == "N", m.group(3).upper() == "E"
    if north:
        return angle if east else (360 - angle) % 360
    return 180 - angle if east else 180 + angle


def parse_distance(text):
    """Metres, or None."""
    m = LENGTH.fullmatch(text)
    if not m:
        return None
    value = float(m.group(1).replace(",", ""))
    return value * 1000 if m.group(2).lower().startswith("k") else value


def solve(legs, direction):
    east = sum(length * math.sin(math.radians(b)) for b, length in legs)
    north = sum(length * math.cos(math.radians(b)) for b, length in legs)
    if direction == "back":
        east, north = -east, -north
    return math.degrees(math.atan2(east, north)) % 360, math.hypot(east, north)


def circle_gap(a, b):
    gap = abs(a - b) % 360
    return min(gap, 360 - gap)


def reward(completion, legs, direction, **row) -> float:
    bearing, distance = solve(legs, direction)
    fields = last_fields(completion)
    score = 0.0
    got = parse_bearing(fields.get("bearing", ""))
    if got is not None and circle_gap(got, bearing) <= BEARING_TOL + EPS:
        score += 0.5
    got = parse_distance(fields.get("distance", ""))
    if got is not None and abs(got - distance) <= DISTANCE_TOL * distance + EPS:
        score += 0.5
    return score
