"""Local arrival date, time and weekday of a journey across time zones."""
import re
from datetime import date, datetime, time, timedelta

MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august",
          "september", "october", "november", "december"]
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
DAY_FIRST = re.compile(r"(\d{1,2}) ([a-z]+) (\d{4})", re.ASCII)
MONTH_FIRST = re.compile(r"([a-z]+) (\d{1,2}),? (\d{4})", re.ASCII)
CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?: ?([ap])\.?m\.?)?", re.ASCII)


def from_name(word, names):
    """Index of a full or three-letter name (case already lowered), or None."""
    for i, name in enumerate(names):
        if word in (name, name[:3]):
            return i
    return None


def read_date(text):
    if m := ISO.fullmatch(text):
        y, mo, d = map(int, m.groups())
    elif m := DAY_FIRST.fullmatch(text):
        d, y, idx = int(m[1]), int(m[3]), from_name(m[2], MONTHS)
        mo = 0 if idx is None else idx + 1
    elif m := MONTH_FIRST.fullmatch(text):
        d, y, idx = int(m[2]), int(m[3]), from_name(m[1], MONTHS)
        mo = 0 if idx is None else idx + 1
    else:
        return None
    try:
        return date(y, mo, d)
    except ValueError:
        return None


def read_time(text):
    m = CLOCK.fullmatch(text)
    if not m:
        return None
    hour, minute, half = int(m[1]), int(m[2]), m[3]
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23 or minute > 59:
        return None
    return time(hour, minute)


def read_arrival(completion):
    found = None
    for raw in completion.splitlines():
        line = raw.replace("*", "").replace("`", "").strip().lower()
        if line.startswith("arrival:"):
            found = line[len("arrival:"):]
    if found is None:
        return None
    fields = [" ".join(f.split()) for f in found.split("|")]
    if len(fields) != 3:
        return None
    return read_date(fields[0]), read_time(fields[1]), from_name(fields[2].rstrip("."), DAYS)


def arrival(departure, dep_offset, arr_offset, minutes):
    """Offsets are minutes east of UTC; minutes holds the flights and the stops between them."""
    local = datetime.strptime(departure, "%Y-%m-%d %H:%M")
    return local + timedelta(minutes=sum(minutes) - dep_offset + arr_offset)


def reward(completion, departure, dep_offset, arr_offset, minutes, **row) -> float:
    answer = read_arrival(completion)
    if answer is None:
        return 0.0
    due = arrival(departure, dep_offset, arr_offset, minutes)
    return 1.0 if answer == (due.date(), due.time(), due.weekday()) else 0.0
