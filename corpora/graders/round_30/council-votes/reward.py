"""Seats of a council by highest averages: the whole distribution has to be right."""
import re

HEAD = re.compile(r"#{0,6}\s*seats:", re.IGNORECASE)
ENTRY = re.compile(r"(?:[-*\u2022]\s*)?(\S.*?)\s*[:=]\s*(\d+)(?:\s+seats?)?", re.IGNORECASE)


def section(completion):
    lines = [ln.strip() for ln in completion.replace("**", "").splitlines()]
    starts = [i for i, ln in enumerate(lines) if HEAD.fullmatch(ln)]
    if not starts:
        return []
    return [ln for ln in lines[starts[-1] + 1:] if ln]


def parse_seats(completion):
    """Mapping of party to seats; None when a line is of another form or a party comes twice."""
    result = {}
    for line in section(completion):
        match = ENTRY.fullmatch(line)
        if not match:
            return None
        party = " ".join(match.group(1).split()).casefold()
        if party in result:
            return None
        result[party] = int(match.group(2))
    return result or None


def reward(completion, seats, parties, **row):
    given = parse_seats(completion)
    if given is None:
        return 0.0
    known = {party.casefold() for party in parties}
    if not given.keys() <= known:
        return 0.0
    wanted = {party.casefold(): count for party, count in seats.items()}
    for party in known:
        if given.get(party, 0) != wanted.get(party, 0):
            return 0.0
    return 1.0
