"""Local times across UTC offsets: date and 24-hour time have to match."""
import re
from datetime import datetime

MONTHS = ("january february march april may june july august september "
          "october november december").split()
TAGGED = re.compile(r"<time>(.*?)</time>", re.S | re.I)
CLOCK = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")
ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
LONG = re.compile(r"([0-9]{1,2}) ([a-z]+) ([0-9]{4})")
LONG_US = re.compile(r"([a-z]+) ([0-9]{1,2}), ([0-9]{4})")


def parse_date(text):
    """(year, month, day) from one of the three spellings, else None."""
    text = " ".join(text.lower().split())
    if found := ISO.fullmatch(text):
        return tuple(map(int, found.groups()))
    if found := LONG.fullmatch(text):
        day, month, year = found.groups()
    elif found := LONG_US.fullmatch(text):
        month, day, year = found.groups()
    else:
        return None
    if month not in MONTHS:
        return None
    return int(year), MONTHS.index(month) + 1, int(day)


def parse_moment(completion):
    tagged = TAGGED.findall(completion)
    if not tagged:
        return None
    text = tagged[-1].strip()
    # The clock stands last, after a blank, a comma or the ISO letter T.
    found = re.fullmatch(r"(.+?)(?:\s*,\s*|\s+|(?<=-[0-9]{2})T)([0-9]{1,2}:[0-9]{2})", text, re.S)
    if not found:
        return None
    date, clock = parse_date(found.group(1)), CLOCK.fullmatch(found.group(2))
    if date is None or clock is None:
        return None
    try:
        return datetime(*date, int(clock.group(1)), int(clock.group(2)))
    except ValueError:
        return None


def reward(completion, local_time, **row):
    moment = parse_moment(completion)
    if moment is None:
        return 0.0
    return 1.0 if moment == datetime.strptime(local_time, "%Y-%m-%d %H:%M") else 0.0
