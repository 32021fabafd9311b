"""Reward for questions on daily weather records (one CSV extract per task)."""
import csv
import io
import re
from decimal import Decimal, InvalidOperation

ANSWER = re.compile(r"^[ \t*]*Answer:[ \t*]*(.+?)[ \t*]*$", re.M)
NUMBER = re.compile(r"([+\-\u2212]?\d+(?:\.\d+)?)\s*(?:mm|\u00b0C|C|days?)?\.?", re.A)
DATE = re.compile(r"(\d{4}-\d{2}-\d{2})\.?", re.A)

_tables = {}


def parse_records(text):
    rows = []
    for rec in csv.DictReader(io.StringIO(text)):
        rows.append({
            "date": rec["date"],
            "tmin": Decimal(rec["tmin"]),
            "tmax": Decimal(rec["tmax"]),
            "rain": Decimal(rec["rain"]),
        })
    return rows


def table_for(station, records):
    """Parsed records; the same extract is scored for many samples, so parse it once."""
    year = records.splitlines()[1][:4]
    key = (station, year)
    if key not in _tables:
        _tables[key] = parse_records(records)
    return _tables[key]


def longest_dry_spell(rows):
    best = run = 0
    for r in rows:
        run = run + 1 if r["rain"] == 0 else 0
        best = max(best, run)
    return best


def solve(rows, query):
    """Returns (kind, accepted): a set of dates, or a number with its tolerance."""
    if query == "hottest_day":
        top = max(r["tmax"] for r in rows)
        return "date", {r["date"] for r in rows if r["tmax"] == top}
    if query == "widest_range_day":
        top = max(r["tmax"] - r["tmin"] for r in rows)
        return "date", {r["date"] for r in rows if r["tmax"] - r["tmin"] == top}
    if query == "total_rain":
        return "number", (sum(r["rain"] for r in rows), Decimal("0"))
    if query == "mean_tmax":
        return "number", (sum(r["tmax"] for r in rows) / len(rows), Decimal("0.06"))
    if query == "frost_days":
        return "number", (Decimal(sum(r["tmin"] < 0 for r in rows)), Decimal("0"))
    if query == "dry_spell":
        return "number", (Decimal(longest_dry_spell(rows)), Decimal("0"))
    raise ValueError(f"unknown query {query!r}")


def read_number(text):
    match = NUMBER.fullmatch(text)
    if not match:
        return None
    try:
        return Decimal(match.group(1).replace("\u2212", "-"))
    except InvalidOperation:
        return None


def reward(completion, station, records, query, **row):
    lines = ANSWER.findall(completion)
    if not lines:
        return 0.0
    kind, accepted = solve(table_for(station, records), query)
    if kind == "date":
        match = DATE.fullmatch(lines[-1])
        return 1.0 if match and match.group(1) in accepted else 0.0
    value = read_number(lines[-1])
    if value is None:
        return 0.0
    truth, slack = accepted
    return 1.0 if abs(value - truth) <= slack else 0.0
