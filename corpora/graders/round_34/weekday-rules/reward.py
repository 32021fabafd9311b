"""Dates fixed by a weekday rule."""
import re
from datetime import date

MONTHS = (
    "january february march april may june july august september october november december"
).split()
MONTH_NUMBER = {name: i for i, name in enumerate(MONTHS, 1)}
MONTH_NUMBER.update({name[:3]: i for i, name in enumerate(MONTHS, 1)})
MONTH_NUMBER["sept"] = 9
DAYS = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?"

LINE = re.compile(r"^[ \t]*date:(.*)$", re.IGNORECASE | re.MULTILINE)
WEEKDAY = re.compile(rf"^(?:{DAYS})\s*,?\s*(?=[0-9]|[a-z]+\.? [0-9])", re.IGNORECASE)
ISO = re.compile(r"^([0-9]{4})-([0-9]{2})-([0-9]{2})$")
DAY_FIRST = re.compile(r"^([0-9]{1,2})(?:st|nd|rd|th)? ([a-z]+)\.?,? ([0-9]{4})$")
MONTH_FIRST = re.compile(r"^([a-z]+)\.? ([0-9]{1,2})(?:st|nd|rd|th)?,? ([0-9]{4})$")


def last_date_line(completion):
    found = LINE.findall(completion.replace("*", ""))
    return found[-1].strip() if found else None


def parse_date(text):
    text = " ".join(text.split()).lower()
    if text.endswith("."):
        text = text[:-1]
    text = WEEKDAY.sub("", text)
    iso = ISO.match(text)
    if iso:
        year, month, day = (int(g) for g in iso.groups())
    elif DAY_FIRST.match(text):
        day, name, year = DAY_FIRST.match(text).groups()
        month = MONTH_NUMBER.get(name, 0)
    elif MONTH_FIRST.match(text):
        name, day, year = MONTH_FIRST.match(text).groups()
        month = MONTH_NUMBER.get(name, 0)
    else:
        return None
    try:
        return date(int(year), month, int(day))
    except ValueError:
        return None


def reward(completion, answer, **row):
    line = last_date_line(completion)
    if line is None:
        return 0.0
    given = parse_date(line)
    if given is None:
        return 0.0
    return 1.0 if given == date.fromisoformat(answer) else 0.0
