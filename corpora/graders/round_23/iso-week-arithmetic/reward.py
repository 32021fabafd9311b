"""ISO 8601 week arithmetic. Answers are weeks, dates or whole numbers."""
import re
from datetime import date

MONTHS = {
    name: number
    for number, names in enumerate(
        ["january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
         "august aug", "september sep sept", "october oct", "november nov", "december dec"], 1)
    for name in names.split()
}
WEEK = re.compile(r"([0-9]{4})-?W([0-9]{1,2})", re.IGNORECASE)
ISO_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
DAY_FIRST = re.compile(r"([0-9]{1,2})\s+([a-z]+)\.?,?\s+([0-9]{4})", re.IGNORECASE)
MONTH_FIRST = re.compile(r"([a-z]+)\.?\s+([0-9]{1,2}),?\s+([0-9]{4})", re.IGNORECASE)
COUNT = re.compile(r"([0-9]{1,5})(?:\s*weeks?)?", re.IGNORECASE)


def parse_week(text):
    m = WEEK.fullmatch(text)
    return (int(m[1]), int(m[2])) if m else None


def parse_date(text):
    if m := ISO_DATE.fullmatch(text):
        year, month, day = m[1], int(m[2]), m[3]
    elif m := DAY_FIRST.fullmatch(text):
        year, month, day = m[3], MONTHS.get(m[2].lower(), 0), m[1]
    elif m := MONTH_FIRST.fullmatch(text):
        year, month, day = m[3], MONTHS.get(m[1].lower(), 0), m[2]
    else:
        return None
    try:
        return date(int(year), month, int(day))
    except ValueError:
        return None


def parse_count(text):
    m = COUNT.fullmatch(text)
    return int(m[1]) if m else None


PARSERS = {"week": parse_week, "date": parse_date, "count": parse_count}


def final_answer(completion):
    hits = re.findall(r"<answer>(.*?)</answer>", completion, re.DOTALL | re.IGNORECASE)
    return hits[-1].strip().rstrip(".").strip() if hits else None


def reward(completion, answer_type, answer, **row):
    text = final_answer(completion)
    if text is None:
        return 0.0
    parse = PARSERS[answer_type]
    got = parse(text)
    return 1.0 if got is not None and got == parse(answer) else 0.0
