"""Fuel stops on a route: checks a refuelling plan against range, opening and count."""
import re

STOPS = re.compile(r"^\W*stops\W*?:[ \t*]*(.+)$", re.I | re.M)


def parse_stops(completion):
    """Names on the last `Stops:` line, in the order written."""
    lines = STOPS.findall(completion)
    if not lines:
        return None
    text = lines[-1].strip().rstrip(".").strip("*` ").rstrip(".")
    if text.casefold() == "none":
        return []
    names = [re.sub(r"\s+", " ", name).strip() for name in re.split(r"\s*(?:,|->|→)\s*", text)]
    return names if all(names) else None


def locate(names, stations):
    """Kilometre marks of the named stations; None if one is unknown or closed."""
    known = {s["name"].casefold(): s for s in stations}
    marks = []
    for name in names:
        station = known.get(name.casefold())
        if station is None or not station["open"]:
            return None
        marks.append(station["km"])
    return marks


def usable_range(tank, reserve, consumption):
    """Kilometres on a full tank, the reserve left untouched."""
    return (tank - reserve) * 100 / consumption


def drivable(marks, reach):
    points = [0] + marks
    legs = [b - a for a, b in zip(points, points[1:])]
    return all(0 < leg <= reach for leg in legs)


def reward(completion, stations, distance, tank, reserve, consumption, max_stops, **row):
    names = parse_stops(completion)
    if names is None or len(names) > max_stops:
        return 0.0
    marks = locate(names, stations)
    if marks is None or any(km >= distance for km in marks):
        return 0.0
    reach = usable_range(tank, reserve, consumption)
    return 1.0 if drivable(marks, reach) else 0.0
