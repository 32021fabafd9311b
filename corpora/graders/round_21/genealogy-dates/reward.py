"""Reward for turning the dates of old records into GEDCOM date values."""
import re

MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()
DAYS_IN_MONTH = dict(zip(MONTHS, [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]))
SINGLE = re.compile(
    r"(?:(?:(?P<day>\d{1,2}) )?(?P<month>[A-Z]{3}) )?(?P<year>\d{4})(?:/(?P<second>\d{2}))?"
)
PREFIXES = ("ABT", "CAL", "EST", "BEF", "AFT")
PAIRS = (("BET", "AND"), ("FROM", "TO"))


def final_value(completion):
    found = re.findall(r"^[ \t]*date:(.*)$", completion, re.MULTILINE | re.IGNORECASE)
    if not found:
        return None
    value = " ".join(found[-1].split()).upper()
    return value.removesuffix(".").rstrip()


def parse_single(text):
    """(year, second year, month, day); parts that are not given are None."""
    match = SINGLE.fullmatch(text)
    if not match:
        return None
    month, day = match["month"], match["day"]
    if month is not None and month not in DAYS_IN_MONTH:
        return None
    if day is not None:
        day = int(day)
        if not 1 <= day <= DAYS_IN_MONTH[month]:
            return None
    return int(match["year"]), match["second"], month, day


def parse_value(text):
    """Canonical tuple for a GEDCOM date value, or None if it is not one."""
    for opening, middle in PAIRS:
        if text.startswith(opening + " "):
            first, found, last = text[len(opening) + 1:].partition(f" {middle} ")
            if not found:
                only = parse_single(first)
                return (opening, only) if only and opening == "FROM" else None
            ends = parse_single(first), parse_single(last)
            return (opening, *ends) if all(ends) else None
    head, _, rest = text.partition(" ")
    if head in PREFIXES or head == "TO":
        single = parse_single(rest)
        return (head, single) if single else None
    single = parse_single(text)
    return ("", single) if single else None


def reward(completion, gedcom, **row) -> float:
    value = final_value(completion)
    if not value:
        return 0.0
    answer = parse_value(value)
    if answer is None:
        return 0.0
    target = parse_value(gedcom)
    if answer == target:
        return 1.0
    # right dates under the wrong keyword
    return 0.25 if answer[1:] == target[1:] else 0.0
