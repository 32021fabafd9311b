"""Routes on a train map: the reply's route is ridden leg by leg and compared with the fastest time."""
import heapq
import re

ROUTE = re.compile(r"<route>(.*?)</route>", re.S | re.I)
TOTAL = re.compile(r"^\s*total\s*:\s*([0-9]{1,5})\s*(?:min|mins|minutes)?\s*\.?\s*$", re.I | re.M)


def edges(lines):
    """Travel times {(line, from, to): minutes}, both ways unless the line is one-way."""
    table = {}
    for name, line in lines.items():
        stops = line["stops"]
        for a, b, minutes in zip(stops, stops[1:], line["minutes"]):
            table[name, a, b] = minutes
            if not line["one_way"]:
                table[name, b, a] = minutes
    return table


def fastest(lines, change, start, goal):
    links = {}
    for (name, a, b), minutes in edges(lines).items():
        links.setdefault(a, []).append((name, b, minutes))
    queue = [(0, start, "")]
    done = set()
    while queue:
        time, station, riding = heapq.heappop(queue)
        if station == goal:
            return time
        if (station, riding) in done:
            continue
        done.add((station, riding))
        for name, other, minutes in links.get(station, []):
            wait = change if riding and riding != name else 0
            heapq.heappush(queue, (time + wait + minutes, other, name))
    return None


def read_route(text, lines):
    """List of (line, stations) in the spelling of the map, or None."""
    blocks = ROUTE.findall(text)
    if not blocks:
        return None
    line_names = {name.lower(): name for name in lines}
    station_names = {s.lower(): s for line in lines.values() for s in line["stops"]}
    legs = []
    for entry in blocks[-1].splitlines():
        entry = re.sub(r"\s+", " ", entry).strip()
        if not entry:
            continue
        head, colon, tail = entry.partition(":")
        name = line_names.get(re.sub(r" line$", "", head.strip().lower()))
        stations = [station_names.get(s.strip().lower()) for s in re.split(r"->|→|>", tail)]
        if not colon or name is None or None in stations or len(stations) < 2:
            return None
        legs.append((name, stations))
    return legs or None


def ride(legs, lines, change, start, goal):
    """Minutes of the route, or None when it cannot be ridden from start to goal."""
    times = edges(lines)
    here, total, previous = start, 0, None
    for name, stations in legs:
        if stations[0] != here or name == previous:
            return None
        if previous is not None:
            total += change
        for a, b in zip(stations, stations[1:]):
            if (name, a, b) not in times:
                return None
            total += times[name, a, b]
        here, previous = stations[-1], name
    return total if here == goal else None


def reward(completion, lines, change, start, goal, **row):
    text = completion.replace("*", "").replace("\r\n", "\n")
    legs = read_route(text, lines)
    if legs is None:
        return 0.0
    minutes = ride(legs, lines, change, start, goal)
    if minutes is None:
        return 0.0
    stated = TOTAL.findall(text)
    honest = bool(stated) and int(stated[-1]) == minutes
    if minutes == fastest(lines, change, start, goal):
        return 1.0 if honest else 0.5
    return 0.2 if honest else 0.0
