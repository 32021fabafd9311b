"""Average speed over several legs; any of the listed units is fine as long as it is named."""
import re
from fractions import Fraction as F

METRES = {"km": F(1000), "m": F(1), "mi": F(1609344, 1000), "nmi": F(1852)}
SECONDS = {"h": F(3600), "min": F(60), "s": F(1)}
SPEEDS = {
    "km/h": METRES["km"] / 3600,
    "m/s": F(1),
    "mph": METRES["mi"] / 3600,
    "kn": METRES["nmi"] / 3600,
}
ALIASES = {
    "km/h": ["km/h", "kmh", "kph", "km/hr", "kilometres per hour", "kilometers per hour"],
    "m/s": ["m/s", "metres per second", "meters per second"],
    "mph": ["mph", "mi/h", "miles per hour"],
    "kn": ["kn", "kt", "kts", "knot", "knots"],
}
UNIT = {alias: unit for unit, names in ALIASES.items() for alias in names}
LINE = re.compile(r"^[ \t]*\**speed\**[ \t]*:[ \t]*\**[ \t]*(.+?)[ \t]*$", re.I | re.M)
QUANTITY = re.compile(
    r"^(?P<num>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\d+\s*/\s*\d+)\s*(?P<unit>[a-z][a-z/ ]*)$", re.I
)
RELATIVE = F(5, 1000)


def leg_metres(leg):
    value, unit = leg["distance"]
    return F(str(value)) * METRES[unit]


def seconds(duration):
    value, unit = duration
    return F(str(value)) * SECONDS[unit]


def leg_seconds(leg):
    if "time" in leg:
        return seconds(leg["time"])
    value, unit = leg["speed"]
    return leg_metres(leg) / (F(str(value)) * SPEEDS[unit])


def true_speed(legs, stops, count_stops):
    distance = sum(leg_metres(leg) for leg in legs)
    time = sum(leg_seconds(leg) for leg in legs)
    if count_stops:
        time += sum(seconds(s) for s in stops)
    return distance / time


def parse(completion):
    """Speed in metres per second from the last 'Speed:' line, or None."""
    lines = LINE.findall(completion)
    if not lines:
        return None
    text = lines[-1].strip("* ").rstrip(".").strip()
    m = QUANTITY.match(text)
    if not m:
        return None
    unit = UNIT.get(" ".join(m.group("unit").lower().split()))
    if unit is None:
        return None
    raw = m.group("num").replace(",", "")
    if "/" in raw:
        top, bottom = (int(p) for p in raw.split("/"))
        if bottom == 0:
            return None
        value = F(top, bottom)
    else:
        value = F(raw)
    return value * SPEEDS[unit]


def reward(completion, legs, stops, count_stops, **row):
    got = parse(completion)
    if got is None:
        return 0.0
    truth = true_speed(legs, stops, count_stops)
    return 1.0 if abs(got - truth) <= RELATIVE * truth else 0.0
