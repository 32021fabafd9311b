"""Train timetable: any route that keeps the rules earns the reward."""
import re

ROUTE = re.compile(r"^[\s>*_]*route[\s*_]*:[\s*_]*(.+?)[\s*_.]*$", re.I | re.M)


def minutes(clock):
    hours, mins = clock.split(":")
    return int(hours) * 60 + int(mins)


def connects(first, second, slack=0):
    """Can one change from the first train to the second?"""
    if first["to"] != second["from"]:
        return False
    return minutes(second["dep"]) >= minutes(first["arr"]) + slack


def parse_route(completion):
    lines = ROUTE.findall(completion)
    if not lines:
        return []
    parts = re.split(r"\s*(?:,|->|→|;)\s*", lines[-1].strip())
    return [p.strip(" *_`").upper() for p in parts if p.strip(" *_`")]


def valid(legs, origin, destination, earliest, latest):
    if legs[0]["from"] != origin or legs[-1]["to"] != destination:
        return False
    if minutes(legs[0]["dep"]) < minutes(earliest):
        return False
    if minutes(legs[-1]["arr"]) > minutes(latest):
        return False
    return all(connects(a, b) for a, b in zip(legs, legs[1:]))


def reward(completion, trains, origin, destination, earliest, latest, min_change=5, **kwargs):
    numbers = parse_route(completion)
    table = {t["no"].upper(): t for t in trains}
    if not numbers or any(n not in table for n in numbers):
        return 0.0
    legs = [table[n] for n in numbers]
    ok = valid(legs, origin, destination, earliest, latest)
    return 1.0 if ok else 0.0
