"""Reward for turning a description of opening hours into compact notation.

The notation is expanded to the minutes of a week; two notations are the same
when they open the same minutes.
"""
import re

DAYS = ["mo", "tu", "we", "th", "fr", "sa", "su"]
DAY_MIN = 24 * 60
WEEK_MIN = 7 * DAY_MIN

TAG = re.compile(r"<hours>(.*?)</hours>", re.DOTALL | re.IGNORECASE)
TIME = re.compile(r"([0-9]{1,2}):([0-9]{2})")


class Malformed(ValueError):
    pass


def parse_time(text):
    m = TIME.fullmatch(text.strip())
    if not m:
        raise Malformed(text)
    hour, minute = int(m.group(1)), int(m.group(2))
    if minute > 59 or hour > 24 or (hour == 24 and minute):
        raise Malformed(text)
    return hour * 60 + minute


def parse_span(text):
    ends = text.split("-")
    if len(ends) != 2:
        raise Malformed(text)
    start, end = parse_time(ends[0]), parse_time(ends[1])
    if start == DAY_MIN or start == end:
        raise Malformed(text)
    if end < start:
        end += DAY_MIN
    return start, end


def parse_days(text):
    days = []
    for item in text.split(","):
        ends = [e.strip().lower() for e in item.split("-")]
        if len(ends) > 2 or any(e not in DAYS for e in ends):
            raise Malformed(item)
        first, last = DAYS.index(ends[0]), DAYS.index(ends[-1])
        count = (last - first) % 7 + 1
        days.extend((first + i) % 7 for i in range(count))
    return days


def expand(notation):
    """The set of open minutes of the week, counted from Monday 00:00."""
    week = {}
    rules = [r.strip() for r in notation.split(";")]
    if rules and rules[-1] == "":
        rules.pop()
    for rule in rules:
        m = re.fullmatch(r"([A-Za-z ,-]*?)\s+(off|[0-9].*)", rule, re.IGNORECASE | re.DOTALL)
        if not m:
            raise Malformed(rule)
        days = parse_days(m.group(1))
        if m.group(2).lower() == "off":
            spans = []
        else:
            spans = [parse_span(s) for s in m.group(2).split(",")]
        for day in days:
            week[day] = spans
    minutes = set()
    for day, spans in week.items():
        for start, end in spans:
            base = day * DAY_MIN
            minutes.update((base + t) % WEEK_MIN for t in range(start, end))
    return minutes


def reward(completion, week, **row):
    blocks = TAG.findall(completion)
    if not blocks:
        return 0.0
    try:
        got = expand(" ".join(blocks[-1].split()))
    except Malformed:
        return 0.0
    want = set()
    for day, spans in enumerate(week):
        for start, end in spans:
            want.update((day * DAY_MIN + t) % WEEK_MIN for t in range(start, end))
    return 1.0 if got == want else 0.0
