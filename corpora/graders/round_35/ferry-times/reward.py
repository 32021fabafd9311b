"""Island ferries: a chain of sailings that reaches the goal as early as possible."""
import re

ROUTE = re.compile(r"^[ \t]*Route:[ \t]*(.*?)[ \t]*$", re.M)


def minutes(clock):
    h, m = clock.split(":")
    return int(h) * 60 + int(m)


def parse_route(completion):
    """Upper-case sailing codes of the last Route line; [] for 'none'; None if absent or malformed."""
    found = ROUTE.findall(completion.replace("\r\n", "\n"))
    if not found:
        return None
    body = found[-1]
    if body.endswith("."):
        body = body[:-1].rstrip()
    if body.lower() == "none":
        return []
    codes = [c.strip().upper() for c in body.split(",")]
    if not all(re.fullmatch(r"[A-Z][0-9]+", c) for c in codes):
        return None
    return codes


def earliest_arrival(sailings, start, goal, ready, change):
    """Earliest minute at the goal, or None. Sailings never arrive before they depart."""
    board_from = {start: ready}
    best = None
    for s in sorted(sailings, key=lambda s: minutes(s["dep"])):
        if s["from"] not in board_from or minutes(s["dep"]) < board_from[s["from"]]:
            continue
        arr = minutes(s["arr"])
        if s["to"] == goal and (best is None or arr < best):
            best = arr
        if arr + change < board_from.get(s["to"], 10**6):
            board_from[s["to"]] = arr + change
    return best


def follow(codes, sailings, start, goal, ready, change):
    """Arrival minute of the chain, or None if it cannot be travelled."""
    by_code = {s["code"]: s for s in sailings}
    port, free = start, ready
    arr = None
    for code in codes:
        s = by_code.get(code)
        if s is None or s["from"] != port or minutes(s["dep"]) < free:
            return None
        arr = minutes(s["arr"])
        port, free = s["to"], arr + change
    return arr if port == goal else None


def reward(completion, sailings, start, goal, ready, change, **row) -> float:
    codes = parse_route(completion)
    if codes is None:
        return 0.0
    best = earliest_arrival(sailings, start, goal, minutes(ready), change)
    if not codes:
        return 1.0 if best is None else 0.0
    arrival = follow(codes, sailings, start, goal, minutes(ready), change)
    if arrival is None:
        return 0.0
    return 1.0 if arrival == best else 0.3
