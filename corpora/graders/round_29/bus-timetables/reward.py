"""Which bus gets there first, and when? Clock times may be written in 24-hour or 12-hour style."""
import re

ROUTE_LINE = re.compile(r"^\W*route\W*:\W*(?:(?:bus|route|line)\s+)?([A-Za-z]?\d+[A-Za-z]?)\W*$", re.I | re.M)
ARRIVE_LINE = re.compile(r"^\W*arrive\W*:\s*(.*)$", re.I | re.M)
CLOCK = re.compile(r"^(\d{1,2})[:.](\d{2})\s*(?:([ap])\.?\s?m\.?)?$", re.I)


def to_minutes(text):
    """Minutes after midnight, or None when the text is no clock time."""
    m = CLOCK.match(text.strip())
    if not m:
        return None
    hour, minute = int(m.group(1)), int(m.group(2))
    half = (m.group(3) or "").lower()
    if minute > 59:
        return None
    if half:
        if not 1 <= hour <= 12:
            return None
        if half == "p":
            hour = (hour + 12) % 24
        else:
            hour = hour % 12
    elif hour > 23:
        return None
    return hour * 60 + minute


def tidy(value):
    return value.strip().strip("*_` ").rstrip().rstrip("*_`")


def first_arrival(services, ready, walk):
    """(route, minute of arrival) of the best service that can still be caught.

    Minutes run on past 1440 after midnight, so the comparison is plain.
    """
    at_stop = ready + walk
    best = None
    for service in services:
        for departs, arrives in service["runs"]:
            if departs < at_stop:
                continue
            if best is None or arrives < best[1]:
                best = (service["route"], arrives)
    return best


def read_reply(completion):
    routes = ROUTE_LINE.findall(completion)
    arrivals = ARRIVE_LINE.findall(completion)
    route = routes[-1].upper() if routes else None
    arrive = to_minutes(tidy(arrivals[-1])) if arrivals else None
    return route, arrive


def reward(completion, services, ready, walk, **row):
    route, arrive = read_reply(completion)
    best_route, best_time = first_arrival(services, ready, walk)
    score = 0.0
    if arrive is not None and arrive == best_time % 1440:
        score += 0.5
        if route == best_route.upper():
            score += 0.5
    return score
