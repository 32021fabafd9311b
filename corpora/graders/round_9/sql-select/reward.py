"""Execution-based reward for SELECT queries on small SQLite tables."""
import re
import sqlite3
from collections import Counter

FENCE_RE = re.compile(r"```(?:sql|sqlite)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
MAX_ROWS = 2000
MAX_TICKS = 200  # of 10,000 SQLite instructions each


def extract_query(completion):
    """The only fenced block, without a trailing semicolon."""
    blocks = FENCE_RE.findall(completion)
    if len(blocks) != 1:
        return None
    query = re.sub(r"^\s*--.*$", "", blocks[0], flags=re.MULTILINE).strip()
    query = re.sub(r"^/\*.*?\*/\s*", "", query, flags=re.DOTALL)
    query = query.rstrip(";").strip()
    if not re.match(r"(select|with)\b", query, re.IGNORECASE):
        return None
    return query


def run(schema, rows_sql, query):
    """Rows of `query` on a fresh in-memory database."""
    db = sqlite3.connect(":memory:")
    try:
        db.executescript(schema + "\n" + rows_sql)
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000)
        db.execute("PRAGMA query_only = ON")
        ticks = [0]

        def stop():
            ticks[0] += 1
            return ticks[0] > MAX_TICKS

        db.set_progress_handler(stop, 10_000)
        rows = db.execute(query).fetchmany(MAX_ROWS)  # raises on a second statement
    finally:
        db.close()
    return [tuple(cell(v) for v in row) for row in rows]


def cell(value):
    """Numbers are compared to 4 decimals, everything else as it is."""
    if isinstance(value, (int, float)):
        return ("number", round(float(value), 4) + 0.0)
    return (type(value).__name__, value)


def same_result(got, want, ordered):
    if ordered:
        return got == want
    return Counter(got) == Counter(want)


def reward(completion, schema, shown_rows, other_rows, reference, ordered, **row):
    """1.0 when the query gives the reference's rows on both sets of rows."""
    query = extract_query(completion)
    if query is None:
        return 0.0
    for data in (shown_rows, other_rows):
        want = run(schema, data, reference)
        try:
            got = run(schema, data, query)
        except (sqlite3.Error, sqlite3.Warning, ValueError):
            return 0.0
        if not same_result(got, want, ordered):
            return 0.0
    return 1.0
