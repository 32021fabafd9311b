"""Find a meeting slot that suits calendars kept in different time zones."""
import re

ANSWER = re.compile(
    r"^[ \t*_]*slot[ \t*_]*:[ \t*_]*"
    r"(mon|tue|wed|thu|fri)[a-z]*[ \t,]+"
    r"([0-2]?[0-9]):([0-5][0-9])\s*(?:-|\u2013|to)\s*([0-2]?[0-9]):([0-5][0-9])"
    r"(?:[ \t]*(?:UTC|Z))?[ \t*_.]*\r?$",
    re.I | re.M,
)
ANY_SLOT = re.compile(r"^[ \t*_]*slot[ \t*_]*:.*$", re.I | re.M)
DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
DAY = 24 * 60
WEEK = 7 * DAY
GRID = 15


def at(day, clock):
    """Minutes since Monday 00:00."""
    hour, minute = clock.split(":")
    return DAYS.index(day[:3].lower()) * DAY + int(hour) * 60 + int(minute)


def parse_slot(completion):
    lines = ANY_SLOT.findall(completion)
    if not lines:
        return None
    m = ANSWER.match(lines[-1])
    if not m:
        return None
    day, h1, m1, h2, m2 = m.groups()
    if int(h1) > 23 or int(h2) > 23:
        return None
    return at(day, f"{h1}:{m1}"), at(day, f"{h2}:{m2}")


def busy_spans(person):
    """The person's engagements in minutes UTC."""
    shift = person["utc_offset_minutes"]
    for day, begin, finish in person["busy"]:
        yield at(day, begin) - shift, at(day, finish) - shift


def in_hours(start, end, person):
    shift = person["utc_offset_minutes"]
    local_start, local_end = (start + shift) % WEEK, (end + shift) % WEEK
    if local_start // DAY != local_end // DAY or local_start // DAY > 4:
        return False
    opening, closing = person["hours"]
    base = local_start // DAY * DAY
    return base + at("mon", opening) <= local_start and local_end <= base + at("mon", closing)


def clashes(start, end, span):
    begin, finish = span
    return begin <= start < finish or begin < end <= finish


def suits(start, end, person):
    if not in_hours(start, end, person):
        return False
    return not any(clashes(start, end, span) for span in busy_spans(person))


def reward(completion, people, minutes, days, **row) -> float:
    slot = parse_slot(completion)
    if slot is None:
        return 0.0
    start, end = slot
    if end - start != minutes or start % GRID:
        return 0.0
    if DAYS[start // DAY] not in days:
        return 0.0
    return 1.0 if all(suits(start, end, p) for p in people) else 0.0
