"""Deadlines at a patent office: months added to a date, moved to an open day."""
import calendar
import re
from datetime import date, timedelta

MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
MONTHS.update({name.lower(): i for i, name in enumerate(calendar.month_abbr) if name})
MONTHS["sept"] = 9

ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\s+([a-z]+)\.?,?\s+(\d{4})")
MONTH_FIRST = re.compile(r"([a-z]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")
WEEKDAY = re.compile(r"^(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+")


def parse_date(text):
    """A date in one of the three accepted spellings, else None."""
    text = text.lower().strip(" *_`").rstrip(".").strip(" *_`")
    text = WEEKDAY.sub("", text)
    if m := ISO.fullmatch(text):
        parts = int(m[1]), int(m[2]), int(m[3])
    elif m := DAY_FIRST.fullmatch(text):
        parts = int(m[3]), MONTHS.get(m[2], 0), int(m[1])
    elif m := MONTH_FIRST.fullmatch(text):
        parts = int(m[3]), MONTHS.get(m[1], 0), int(m[2])
    else:
        return None
    try:
        return date(*parts)
    except ValueError:
        return None


def add_months(start, months):
    """Same day `months` later; the last of the month where that day is missing."""
    index = start.year * 12 + start.month - 1 + months
    year, month = divmod(index, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(start.day, last))


def next_open_day(day, closed):
    if day.weekday() >= 5:
        day += timedelta(days=7 - day.weekday())
    while day in closed:
        day += timedelta(days=1)
    return day


def last_deadline(completion):
    found = None
    for line in completion.splitlines():
        head, sep, tail = line.partition(":")
        if sep and head.strip(" *_`>-").lower() == "deadline":
            found = tail
    return found


def reward(completion, start, months, closed, **row):
    text = last_deadline(completion or "")
    if text is None:
        return 0.0
    given = parse_date(text)
    if given is None:
        return 0.0
    holidays = {date.fromisoformat(d) for d in closed}
    due = next_open_day(add_months(date.fromisoformat(start), months), holidays)
    return 1.0 if given == due else 0.0
