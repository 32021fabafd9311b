"""Reward for answering a question with one SQL query over small tables."""
import re
import sqlite3
from collections import Counter

FENCE = re.compile(r"```[ \t]*sql[ \t]*\n(.*?)```", re.S | re.I)
MAX_ROWS = 500
MAX_STEPS = 200


def extract_query(completion):
    blocks = FENCE.findall(completion)
    if not blocks:
        return None
    query = blocks[-1].strip()
    bare = re.sub(r"--[^\n]*|/\*.*?\*/", " ", query, flags=re.S).strip()
    first = re.match(r"[a-z]+", bare, re.I)
    if not first or first.group(0).lower() not in ("select", "with"):
        return None
    return query


def open_database(schema, data):
    conn = sqlite3.connect(":memory:")
    conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000)
    conn.executescript(schema)
    conn.executescript(data)
    conn.commit()
    ticks = [0]

    def guard():
        ticks[0] += 1
        return ticks[0] > MAX_STEPS

    conn.set_progress_handler(guard, 10000)
    return conn


def cell(value):
    if isinstance(value, (int, float)):
        return round(float(value), 6) + 0.0
    return value


def run(conn, query):
    rows = conn.execute(query).fetchmany(MAX_ROWS)
    return [tuple(cell(v) for v in r) for r in rows]


def equal(got, want, ordered):
    return got == want if ordered else Counter(got) == Counter(want)


def matches(schema, data, query, reference, ordered):
    conn = open_database(schema, data)
    try:
        got = run(conn, query)
        want = run(conn, reference)
    except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError):
        return False
    finally:
        conn.close()
    return equal(got, want, ordered)


def reward(completion, schema, data, second_data, reference, ordered, **row):
    query = extract_query(completion)
    if query is None:
        return 0.0
    for rows in (data, second_data):
        if not matches(schema, rows, query, reference, ordered):
            return 0.0
    return 1.0
