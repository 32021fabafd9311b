"""Deadlines in business days, forwards and backwards, with holidays and other weekends."""
import re
from datetime import date, timedelta

MONTHS = ["january", "february", "march", "april", "may", "june", "july",
          "august", "september", "october", "november", "december"]
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
LABEL = re.compile(r"\s*deadline\s*:\s*(.*?)\s*", re.IGNORECASE)
WEEKDAY = re.compile(r"([a-z]+)\.?,?\s+(?=\S)")
ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?([a-z]+)\.?,?\s+(\d{4})")
MONTH_FIRST = re.compile(r"([a-z]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")


def lookup(word, names):
    """Index of a full English name or its abbreviation of three letters (or 'sept')."""
    for i, name in enumerate(names):
        if word in (name, name[:3]) or (word == "sept" and name == "september"):
            return i
    return None


def parse_date(text):
    text = text.lower().strip()
    weekday = None
    lead = WEEKDAY.match(text)
    if lead and lookup(lead.group(1), DAYS) is not None:
        weekday = lookup(lead.group(1), DAYS)
        text = text[lead.end():]
    if match := ISO.fullmatch(text):
        year, month, day = (int(g) for g in match.groups())
    elif match := DAY_FIRST.fullmatch(text):
        day, name, year = match.groups()
        month = lookup(name, MONTHS)
    elif match := MONTH_FIRST.fullmatch(text):
        name, day, year = match.groups()
        month = lookup(name, MONTHS)
    else:
        return None
    if month is None:
        return None
    if not ISO.fullmatch(text):
        month += 1
    try:
        result = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return result if weekday in (None, result.weekday()) else None


def deadline(start, count, step, weekend, holidays, inclusive):
    closed = {date.fromisoformat(h) for h in holidays}
    day = date.fromisoformat(start)
    if not inclusive:
        day += timedelta(days=step)
    while True:
        if day.weekday() not in weekend and day not in closed:
            count -= 1
            if count == 0:
                return day
        day += timedelta(days=step)


def reward(completion, start, count, direction, weekend, holidays, inclusive, **row):
    found = None
    for line in completion.replace("**", "").splitlines():
        match = LABEL.fullmatch(line)
        if match:
            found = match.group(1)
    if not found:
        return 0.0
    given = parse_date(found[:-1] if found.endswith(".") else found)
    step = 1 if direction == "after" else -1
    return float(given == deadline(start, count, step, weekend, holidays, inclusive))
