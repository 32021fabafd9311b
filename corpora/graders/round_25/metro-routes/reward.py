"""Grader for routes in a small metro network; every fastest route is right."""
import heapq
import re

PER_STOP = 2
PER_CHANGE = 5
LATE = 5
LEG = re.compile(r"(?:[-*•]\s+|[0-9]+[.)]\s+)?([^:]+):(.+?)(?:->|→)(.+)")


def stops_between(line, origin, target):
    """Number of stops ridden on the line, or None when it does not run that way."""
    stations = line["stations"]
    if origin == target or origin not in stations or target not in stations:
        return None
    i, j = stations.index(origin), stations.index(target)
    if line["kind"] == "one-way loop":
        return (j - i) % len(stations)
    return abs(j - i)


def fastest(lines, closed, origin, target):
    """Minutes of the fastest route: Dijkstra over legs."""
    best = {origin: 0}
    queue = [(0, origin)]
    while queue:
        minutes, here = heapq.heappop(queue)
        if here == target:
            return minutes
        if minutes > best[here]:
            continue
        for line in lines.values():
            for there in line["stations"]:
                stops = stops_between(line, here, there)
                if stops is None or there in closed:
                    continue
                total = minutes + PER_STOP * stops + (PER_CHANGE if here != origin else 0)
                if total < best.get(there, float("inf")):
                    best[there] = total
                    heapq.heappush(queue, (total, there))
    raise ValueError("no route")


def tidy(name):
    return " ".join(name.split()).casefold()


def read_legs(completion):
    blocks = re.findall(r"<route>(.*?)</route>", completion, flags=re.S | re.I)
    legs = []
    for text in (blocks[-1].splitlines() if blocks else []):
        if not text.strip():
            continue
        match = LEG.fullmatch(text.strip())
        if not match:
            return []
        legs.append(tuple(tidy(part) for part in match.groups()))
    return legs


def travel_time(legs, lines, closed, origin, target):
    """Minutes of the proposed route, or None when it cannot be ridden."""
    minutes, here = -PER_CHANGE, origin
    for name, start, end in legs:
        if name not in lines or start != here or end in closed:
            return None
        stops = stops_between(lines[name], start, end)
        if stops is None:
            return None
        minutes += PER_STOP * stops + PER_CHANGE
        here = end
    return minutes if legs and here == target else None


def reward(completion, network, closed, origin, target, **row) -> float:
    lines = {tidy(name): {"kind": line["kind"], "stations": [tidy(s) for s in line["stations"]]}
             for name, line in network.items()}
    closed = {tidy(s) for s in closed}
    origin, target = tidy(origin), tidy(target)
    minutes = travel_time(read_legs(completion), lines, closed, origin, target)
    if minutes is None:
        return 0.0
    extra = minutes - fastest(lines, closed, origin, target)
    if extra <= 0:
        return 1.0
    return 0.3 if extra <= LATE else 0.0
