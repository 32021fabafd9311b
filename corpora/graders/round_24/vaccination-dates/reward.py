"""Dates of the doses of a vaccination course."""
import re
from datetime import date

MONTHS = {
    name: i
    for i, name in enumerate(
        "january february march april may june july august september october november december".split(), 1
    )
}
LINE = re.compile(r"^[ \t*_-]*dose[ \t]+([0-9]{1,2})[ \t*_]*:(.*)$", re.I | re.M)
ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
DAY_FIRST = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th)? ([A-Za-z]+),? ([0-9]{4})")
MONTH_FIRST = re.compile(r"([A-Za-z]+) ([0-9]{1,2})(?:st|nd|rd|th)?,? ([0-9]{4})")
WEEKDAY = re.compile(
    r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|wed|thu|fri|sat|sun)\b,?\s*", re.I
)


def month_number(word):
    word = word.lower()
    for name, number in MONTHS.items():
        if word == name or word == name[:3]:
            return number
    return None


def parse_date(text):
    """One date written as 2024-03-05, 5 March 2024 or March 5, 2024."""
    text = " ".join(WEEKDAY.sub("", text).strip(" \t\r*_.()").split())
    if m := ISO.fullmatch(text):
        year, month, day = map(int, m.groups())
    elif m := DAY_FIRST.fullmatch(text):
        year, month, day = int(m.group(3)), month_number(m.group(2)), int(m.group(1))
    elif m := MONTH_FIRST.fullmatch(text):
        year, month, day = int(m.group(3)), month_number(m.group(1)), int(m.group(2))
    else:
        return None
    try:
        return date(year, month, day) if month else None
    except ValueError:
        return None


def read_doses(completion):
    """{dose number: date}; a later line for the same dose replaces an earlier one."""
    return {int(n): parse_date(text) for n, text in LINE.findall(completion)}


def reward(completion, doses, **row) -> float:
    """doses: ISO dates of doses 1, 2, ... in order."""
    got = read_doses(completion)
    want = {n: date.fromisoformat(d) for n, d in enumerate(doses, 1)}
    return 1.0 if got == want else 0.0
