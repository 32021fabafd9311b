"""Flight connection puzzles: accept any itinerary that obeys the rules in the prompt."""
import re

LINE = re.compile(r"^\W*itinerary\W*?:\**[ \t]*(.+)$", re.I | re.M)
CODE = re.compile(r"[A-Z]{2}\d{3}")


def minutes(clock):
    h, m = clock.split(":")
    return int(h) * 60 + int(m)


def parse(completion):
    """Codes of the last itinerary line; [] for 'none'; None if the line is unusable."""
    lines = LINE.findall(completion)
    if not lines:
        return None
    body = lines[-1].strip(" *`.\t\r").upper()
    if body == "NONE":
        return []
    codes = CODE.findall(body)
    rest = CODE.sub("", body)
    if not codes or re.search(r"[A-Z0-9]", rest):
        return None
    return codes


def legal_next(prev, flight, origin, earliest, layover):
    if prev is None:
        return flight["from"] == origin and minutes(flight["dep"]) >= minutes(earliest)
    return (flight["from"] == prev["to"]
            and minutes(flight["dep"]) >= minutes(prev["arr"]) + layover)


def exists(flights, prev, used, row):
    if prev is not None and prev["to"] == row["destination"] \
            and minutes(prev["arr"]) <= minutes(row["deadline"]):
        return True
    if used == row["max_flights"]:
        return False
    return any(legal_next(prev, f, row["origin"], row["earliest"], row["layover"])
               and exists(flights, f, used + 1, row) for f in flights)


def reward(completion, flights, origin, destination, earliest, deadline, layover,
           max_flights, **_):
    codes = parse(completion)
    if codes is None:
        return 0.0
    row = {"origin": origin, "destination": destination, "earliest": earliest,
           "deadline": deadline, "layover": layover, "max_flights": max_flights}
    if not codes:
        return 0.0 if exists(flights, None, 0, row) else 1.0
    if len(codes) > max_flights:
        return 0.0
    table = {f["code"]: f for f in flights}
    prev = None
    for code in codes:
        flight = table.get(code)
        if flight is None or not legal_next(prev, flight, origin, earliest, layover):
            return 0.0
        prev = flight
    ok = prev["to"] == destination and minutes(prev["arr"]) <= minutes(deadline)
    return 1.0 if ok else 0.0
