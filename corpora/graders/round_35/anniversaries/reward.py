"""Dates and day counts in the lives of societies, ships and people."""
import re
from datetime import date

MONTHS = [
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
]
LINE = re.compile(r"^[ \t]*Answer:[ \t]*(.*?)[ \t]*$", re.M)
ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
DAY_FIRST = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th)? ([A-Za-z]+),? ([0-9]{4})")
MONTH_FIRST = re.compile(r"([A-Za-z]+) ([0-9]{1,2})(?:st|nd|rd|th)?,? ([0-9]{4})")
COUNT = re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,9})(?: days?)?")


def month_number(name):
    name = name.lower()
    return MONTHS.index(name) + 1 if name in MONTHS else None


def parse_date(text):
    """A date object from one of the announced spellings, or None."""
    match = ISO.fullmatch(text)
    if match:
        parts = tuple(int(g) for g in match.groups())
    else:
        match = DAY_FIRST.fullmatch(text)
        if match:
            parts = (int(match[3]), month_number(match[2]), int(match[1]))
        else:
            match = MONTH_FIRST.fullmatch(text)
            if match is None:
                return None
            parts = (int(match[3]), month_number(match[1]), int(match[2]))
    if parts[1] is None:
        return None
    try:
        return date(*parts)
    except ValueError:
        return None


def parse_count(text):
    match = COUNT.fullmatch(text)
    return int(match[1].replace(",", "")) if match else None


def final_answer(completion):
    lines = LINE.findall(completion.replace("\r\n", "\n"))
    if not lines:
        return None
    text = lines[-1]
    return text[:-1].rstrip() if text.endswith(".") else text


def reward(completion, kind, answer, **row) -> float:
    text = final_answer(completion)
    if text is None:
        return 0.0
    if kind == "date":
        return 1.0 if parse_date(text) == date.fromisoformat(answer) else 0.0
    return 1.0 if parse_count(text) == int(answer) else 0.0
