"""Position reports pulled out of a ship's log, compared entry by entry."""
import json
import re

TIME = re.compile(r"([01]?[0-9]|2[0-3]):?([0-5][0-9])")
TOLERANCE = {"lat": 0.006, "lon": 0.006, "course": 0.5, "speed": 0.05}


def load_reports(completion):
    """The last fenced block, or the whole reply when nothing is fenced, as a JSON list."""
    blocks = re.findall(r"```(?:json)?\s*\n(.*?)```", completion, re.DOTALL | re.IGNORECASE)
    try:
        data = json.loads(blocks[-1] if blocks else completion)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, list) or not all(isinstance(entry, dict) for entry in data):
        return None
    return data


def clock(value):
    """'7:05', '0705' and '07:05' -> minutes after midnight."""
    m = TIME.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(m[1]) * 60 + int(m[2]) if m else None


def number(value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if abs(value) < 1e6 else None


def same_report(got, want):
    if set(got) != set(want):
        return False
    for key, tolerance in TOLERANCE.items():
        value = number(got[key])
        if value is None or not abs(value - want[key]) <= tolerance + 1e-9:
            return False
    return True


def index_by_time(reports):
    """Reports keyed by minute of the day; None if a time is unreadable or used twice."""
    table = {}
    for entry in reports:
        minute = clock(entry.get("time"))
        if minute is None or minute in table:
            return None
        table[minute] = entry
    return table


def reward(completion, reports, **row):
    entries = load_reports(completion)
    if not entries:
        return 0.0
    got, want = index_by_time(entries), index_by_time(reports)
    if got is None:
        return 0.0

    matched = 0
    for minute, entry in got.items():
        if minute in want and same_report(entry, want[minute]):
            matched += 1
    return round(matched / len(got), 4)
