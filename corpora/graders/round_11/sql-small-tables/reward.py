"""Execution-based text-to-SQL reward.

The model's SELECT and the reference are run on the table of the prompt and on a second,
hidden table; both results have to agree (as lists if `ordered`, else as multisets).
"""
import re
import sqlite3

BLOCK = re.compile(r"```(?:sql|sqlite)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
MAX_ROWS = 1000
MAX_TICKS = 200  # x 10 000 virtual machine steps
READ_ONLY = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


def _open(table, ddl, rows):
    con = sqlite3.connect(":memory:")
    con.execute(ddl)
    con.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    con.commit()
    ticks = [0]

    def tick():
        ticks[0] += 1
        return ticks[0] > MAX_TICKS

    con.set_progress_handler(tick, 10_000)
    con.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in READ_ONLY else sqlite3.SQLITE_DENY)
    return con


def _cell(value):
    """Numbers compare by value (3 equals 3.0), everything else by type and value."""
    if isinstance(value, (int, float)):
        return ("number", f"{value + 0.0:.6f}")
    return (type(value).__name__, str(value))


def _run(query, table, ddl, rows, ordered):
    con = _open(table, ddl, rows)
    try:
        found = con.execute(query).fetchmany(MAX_ROWS)
    finally:
        con.close()
    found = [tuple(_cell(value) for value in row) for row in found]
    return found if ordered else sorted(found)


def reward(completion, table, ddl, data, reference, ordered, **row):
    blocks = BLOCK.findall(completion)
    if not blocks:
        return 0.0
    query = blocks[-1].strip()
    for rows in data:
        want = _run(reference, table, ddl, rows, ordered)
        try:
            got = _run(query, table, ddl, rows, ordered)
        except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError, MemoryError):
            return 0.0
        if got != want:
            return 0.0
    return 1.0
