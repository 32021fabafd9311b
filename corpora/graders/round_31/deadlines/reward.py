"""Deadlines: compare the date on the last 'Deadline:' line with the label."""
import re
from datetime import date

LINE = re.compile(r"^[ \t]*Deadline:(.*)$", re.M | re.I)
MONTHS = ["january", "february", "march", "april", "may", "june", "july",
          "august", "september", "october", "november", "december"]
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
DAY_FIRST = re.compile(r"([0-9]{1,2}) ([a-z]+) ([0-9]{4})")
MONTH_FIRST = re.compile(r"([a-z]+) ([0-9]{1,2}), ?([0-9]{4})")


def make_date(year, month, day):
    if isinstance(month, str) and not month.isdigit():
        if month not in MONTHS:
            return None
        month = MONTHS.index(month) + 1
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def split_weekday(text):
    """Separate an optional leading weekday: 'friday, 2 may 2025'."""
    match = re.match(r"([a-z]+),? +(.*)", text)
    if match and match[1] in DAYS:
        return DAYS.index(match[1]), match[2].strip()
    return None, text


def parse_date(text):
    text = re.sub(r"\s+", " ", text).strip().lower()
    if text.endswith("."):
        text = text[:-1].rstrip()
    weekday, text = split_weekday(text)
    found = None
    match = ISO.fullmatch(text)
    if match:
        found = make_date(match[1], match[2], match[3])
    match = DAY_FIRST.fullmatch(text)
    if match:
        found = make_date(match[3], match[2], match[1])
    match = MONTH_FIRST.fullmatch(text)
    if match:
        found = make_date(match[3], match[1], match[2])
    if found is None:
        return None
    if weekday is not None and found.weekday() != weekday:
        return None
    return found


def reward(completion, deadline, **row):
    lines = LINE.findall(completion)
    if not lines:
        return 0.0
    got = parse_date(lines[-1])
    return 1.0 if got == date.fromisoformat(deadline) else 0.0
