"""Weekly pay with daily overtime and double time on Sundays."""
import re
from fractions import Fraction

WEIGHTS = {"plain": 0.2, "premium": 0.2, "gross": 0.6}
DAILY_LIMIT = Fraction(8)
HOURS_TOL = Fraction(5, 1000)

LINE = re.compile(r"^[ \t*_>-]*(plain|premium|gross)[ \t*_]*:(.*)$", re.I | re.M)
DECIMAL_HOURS = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?)\s*(?:h|hrs?|hours?)?", re.I)
CLOCK_HOURS = re.compile(r"([0-9]{1,3}):([0-5][0-9])(?:\s*(?:h|hrs?|hours?))?", re.I)
WORDED = re.compile(
    r"([0-9]{1,3})\s*(?:h|hrs?|hours?)\s*(?:and\s+)?([0-5]?[0-9])\s*(?:m|mins?|minutes?)", re.I
)
MONEY = re.compile(
    r"(?:\$|USD)?\s*([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7})(\.[0-9]{1,2})?\s*(?:USD|dollars)?", re.I
)


def minutes(clock):
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)


def settle(shifts, rate):
    """(plain hours, premium hours, gross in cents) as exact numbers."""
    plain = premium = weighted = Fraction(0)
    for day, start, end, pause in shifts:
        length = minutes(end) - minutes(start)
        if length <= 0:
            length += 24 * 60
        hours = Fraction(length - pause, 60)
        if day == "Sunday":
            premium += hours
            weighted += 2 * hours
        else:
            extra = max(hours - DAILY_LIMIT, Fraction(0))
            plain += hours - extra
            premium += extra
            weighted += hours - extra + Fraction(3, 2) * extra
    cents = weighted * Fraction(rate) * 100
    return plain, premium, (2 * cents + 1) // 2


def parse_hours(text):
    m = CLOCK_HOURS.fullmatch(text) or WORDED.fullmatch(text)
    if m:
        return int(m.group(1)) + Fraction(int(m.group(2)), 60)
    m = DECIMAL_HOURS.fullmatch(text)
    return Fraction(m.group(1)) if m else None


def parse_cents(text):
    m = MONEY.fullmatch(text)
    if not m:
        return None
    return Fraction(m.group(1).replace(",", "") + (m.group(2) or "")) * 100


def reward(completion, shifts, rate, **row) -> float:
    """rate is a decimal string such as '18.75'."""
    fields = {name.lower(): text.strip(" \t\r*_") for name, text in LINE.findall(completion)}
    plain, premium, gross = settle(shifts, rate)
    score = 0
    for name, truth in (("plain", plain), ("premium", premium)):
        got = parse_hours(fields.get(name, ""))
        if got is not None and abs(got - truth) <= HOURS_TOL:
            score += WEIGHTS[name]
    if parse_cents(fields.get("gross", "")) == gross:
        score += WEIGHTS["gross"]
    return round(score, 6)
