"""Grader for SQL questions: the query is run in SQLite and its rows are compared.

Every query is judged on the tables of the prompt and on a second, hidden set of
rows, so that constants copied from the prompt do not pass.
"""
import re
import sqlite3
from collections import Counter

MAX_STEPS = 200
MAX_ROWS = 1000
READ_ONLY = re.compile(r"(?:select|with)\b", re.IGNORECASE)


def extract_query(completion):
    """The last fenced block, without comments and the final semicolon."""
    blocks = re.findall(r"^[ \t]*```[ \t]*\w*[ \t]*\n(.*?)^[ \t]*```", completion, flags=re.S | re.M)
    if not blocks:
        return None
    query = re.sub(r"^\s*--.*$", "", blocks[-1], flags=re.M).strip()
    return query.removesuffix(";").strip()


def open_database(schema, rows):
    connection = sqlite3.connect(":memory:")
    connection.executescript(schema)
    for table, records in rows.items():
        for record in records:
            marks = ",".join("?" * len(record))
            connection.execute(f"INSERT INTO {table} VALUES ({marks})", record)
    connection.commit()
    budget = iter(range(MAX_STEPS))
    connection.set_progress_handler(lambda: next(budget, None) is None, 10_000)
    return connection


def run(connection, query):
    rows = connection.execute(query).fetchmany(MAX_ROWS)
    return [tuple(tidy(cell) for cell in row) for row in rows]


def tidy(cell):
    """Numbers compare by value, to six decimals."""
    if isinstance(cell, (int, float)):
        return round(float(cell), 6)
    return cell


def same(got, want, ordered):
    return got == want if ordered else Counter(got) == Counter(want)


def agrees(query, reference, schema, rows, ordered):
    connection = open_database(schema, rows)
    try:
        got = run(connection, query)
        want = run(connection, reference)
    finally:
        connection.close()
    return same(got, want, ordered)


def reward(completion, schema, data, hidden, reference, ordered, **row) -> float:
    query = extract_query(completion)
    if not query or not READ_ONLY.match(query):
        return 0.0
    try:
        passed = all(agrees(query, reference, schema, rows, ordered) for rows in (data, hidden))
    except (sqlite3.Error, sqlite3.Warning, OverflowError, ValueError):
        return 0.0
    return 1.0 if passed else 0.0
