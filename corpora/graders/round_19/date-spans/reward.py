"""Calendar questions. The right answer is computed from the row, then compared."""
import calendar
import re
from datetime import date, timedelta

MONTHS = {}
for number in range(1, 13):
    MONTHS[calendar.month_name[number].lower()] = number
    MONTHS[calendar.month_abbr[number].lower()] = number

COUNT = re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\s+(?:working\s+days?|week\s?days?|days?))?", re.I)
ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
DAY_FIRST = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th)?\s+([a-z]+)\.?,?\s+([0-9]{4})", re.I)
MONTH_FIRST = re.compile(r"([a-z]+)\.?\s+([0-9]{1,2})(?:st|nd|rd|th)?,?\s+([0-9]{4})", re.I)
WEEKDAY = re.compile(r"(mon|tues|wednes|thurs|fri|satur|sun)day,?\s+", re.I)


def day(text):
    return date.fromisoformat(text)


def is_working(d, holidays):
    return d.weekday() < 5 and d not in holidays


def span_days(start, end):
    while start <= end:
        yield start
        start += timedelta(days=1)


def step_working(start, n, holidays):
    """The |n|-th working day after (n > 0) or before (n < 0) start."""
    step = timedelta(days=1 if n > 0 else -1)
    left, d = abs(n), start
    while left:
        d += step
        if is_working(d, holidays):
            left -= 1
    return d


def add_months(start, n):
    index = start.year * 12 + start.month - 1 + n
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(start.day, calendar.monthrange(year, month)[1]))


def truth(kind, params):
    holidays = {day(h) for h in params.get("holidays", [])}
    start = day(params["start"])
    if kind == "elapsed":
        return (day(params["end"]) - start).days
    if kind == "inclusive":
        return (day(params["end"]) - start).days + 1
    if kind == "working":
        return sum(is_working(d, holidays) for d in span_days(start, day(params["end"])))
    if kind == "overlap":
        first = max(start, day(params["start2"]))
        last = min(day(params["end"]), day(params["end2"]))
        return max(0, (last - first).days + 1)
    if kind == "step_working":
        return step_working(start, params["n"], holidays)
    if kind == "add_months":
        return add_months(start, params["n"])
    raise ValueError(f"unknown kind {kind}")


def read_count(text):
    match = COUNT.fullmatch(text)
    return int(match.group(1).replace(",", "")) if match else None


def read_date(text):
    """(date, weekday prefix or None), or None if the text is not a date."""
    prefix = WEEKDAY.match(text)
    body = text[prefix.end():] if prefix else text
    if match := ISO.fullmatch(body):
        y, m, d = match.groups()
    elif match := DAY_FIRST.fullmatch(body):
        d, m, y = match.groups()
    elif match := MONTH_FIRST.fullmatch(body):
        m, d, y = match.groups()
    else:
        return None
    month = int(m) if m.isdigit() else MONTHS.get(m.lower())
    try:
        found = date(int(y), month, int(d))
    except (TypeError, ValueError):
        return None
    if prefix and calendar.day_name[found.weekday()].lower() != prefix.group().strip(" ,\t").lower():
        return None
    return found


def reward(completion, kind, params, **row):
    lines = re.findall(r"^[ \t]*\**[ \t]*answer[ \t]*\**[ \t]*:(.*)$", completion, re.M | re.I)
    if not lines:
        return 0.0
    text = lines[-1].replace("*", "").strip().removesuffix(".").strip()
    expected = truth(kind, params)
    got = read_date(text) if isinstance(expected, date) else read_count(text)
    return 1.0 if got is not None and got == expected else 0.0
