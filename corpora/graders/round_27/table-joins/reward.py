"""Joins of two small tables, answered as CSV. Rows are a multiset unless the task asks for an order."""
import csv
import io
import re
from collections import Counter
from decimal import Decimal

FENCE = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)^[ \t]*```[ \t]*$", re.S | re.M)
NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")


def join(left, right, how, key):
    """Yield the joined records; in a left join the missing fields of the right table are empty."""
    fields = [name for name in right[0] if name != key]
    for a in left:
        matches = [b for b in right if b[key] == a[key]]
        if how == "anti":
            if not matches:
                yield dict(a)
            continue
        for b in matches:
            yield {**a, **{name: b[name] for name in fields}}
        if not matches and how == "left":
            yield {**a, **{name: "" for name in fields}}


def cell(value, name, numeric):
    value = value.strip()
    if name in numeric and NUMBER.fullmatch(value):
        return Decimal(value).normalize() + 0
    return value


def expected_rows(left, right, spec):
    records = list(join(left, right, spec["how"], spec["key"]))
    if spec.get("order_by"):
        records.sort(key=lambda rec: Decimal(rec[spec["order_by"]]), reverse=spec["descending"])
    return [tuple(cell(rec[c], c, spec["numeric"]) for c in spec["columns"]) for rec in records]


def read_rows(text, spec):
    """Rows of the last fenced CSV block, brought into the column order of the task; None if unreadable."""
    blocks = FENCE.findall(text)
    if not blocks:
        return None
    try:
        lines = list(csv.reader(io.StringIO(blocks[-1]), skipinitialspace=True))
    except csv.Error:
        return None
    lines = [line for line in lines if line]
    if not lines:
        return None
    header = [name.strip() for name in lines[0]]
    if sorted(header) != sorted(spec["columns"]):
        return None
    if any(len(line) != len(header) for line in lines[1:]):
        return None
    places = [header.index(name) for name in spec["columns"]]
    return [tuple(cell(line[p], c, spec["numeric"]) for p, c in zip(places, spec["columns"])) for line in lines[1:]]


def reward(completion, left, right, spec, **row):
    given = read_rows(completion.replace("\r\n", "\n"), spec)
    if given is None:
        return 0.0
    truth = expected_rows(left, right, spec)
    if spec.get("order_by"):
        if given == truth:
            return 1.0
    elif Counter(given) == Counter(truth):
        return 1.0
    a, b = Counter(given), Counter(truth)
    shared = sum((a & b).values())
    total = sum((a | b).values())
    return round(0.5 * shared / total, 4)
