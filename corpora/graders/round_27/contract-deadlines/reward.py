"""Deadlines in contracts: business days, calendar days with roll-over, months."""
import calendar
import re
from datetime import date, datetime, timedelta

FORMATS = ("%Y-%m-%d", "%d %B %Y", "%B %d %Y")
ORDINAL = re.compile(r"(?:st|nd|rd|th)\b", re.I)


def is_open(day, holidays):
    return day.weekday() < 5 and day.isoformat() not in holidays


def roll_forward(day, holidays):
    while not is_open(day, holidays):
        day += timedelta(days=1)
    return day


def add_business_days(day, count, holidays):
    while count > 0:
        day += timedelta(days=1)
        if is_open(day, holidays):
            count -= 1
    return day


def add_months(day, count):
    """Same day number in a later month, or the last day of that month when it is shorter."""
    index = day.year * 12 + day.month - 1 + count
    year, month = divmod(index, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))


def deadline(start, kind, count, holidays):
    day = date.fromisoformat(start)
    if kind == "business_days":
        return add_business_days(day, count, holidays)
    if kind == "calendar_days":
        return roll_forward(day + timedelta(days=count), holidays)
    if kind == "months":
        return roll_forward(add_months(day, count), holidays)
    raise ValueError(kind)


def final_answer(text):
    found = None
    for line in text.splitlines():
        line = line.replace("*", "").strip()
        if line.lower().startswith("deadline:"):
            found = line[len("deadline:"):].strip()
    return found


def read_date(text):
    """Accepts 2025-03-14, 14 March 2025, 14th March 2025, March 14, 2025 and March 14th, 2025."""
    text = ORDINAL.sub("", text.rstrip("."))
    text = re.sub(r"\s+", " ", text.replace(",", " ")).strip()
    for form in FORMATS:
        try:
            return datetime.strptime(text, form).date()
        except ValueError:
            continue
    return None


def reward(completion, start, kind, count, holidays, **row):
    text = final_answer(completion)
    if text is None:
        return 0.0
    day = read_date(text)
    return 1.0 if day is not None and day == deadline(start, kind, count, holidays) else 0.0
