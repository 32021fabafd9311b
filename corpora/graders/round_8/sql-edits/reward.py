"""Reward for SQL editing tasks: run the reply on an in-memory sqlite database,
then compare the tables with what they should hold afterwards."""
import re
import sqlite3
from functools import lru_cache

FENCE = re.compile(r"```(?:sql|sqlite)?\s*\n(.*?)```", re.S | re.I)
BANNED = re.compile(r"\b(attach|detach|pragma|vacuum|load_extension)\b", re.I)
MAX_STEPS = 2_000_000


@lru_cache(maxsize=1024)
def _database(setup):
    # building the tables for each sample is slow with 16 samples a prompt
    conn = sqlite3.connect(":memory:", check_same_thread=False)
    conn.executescript(setup)
    conn.commit()
    return conn


def _extract(completion):
    blocks = FENCE.findall(completion)
    if not blocks:
        return None
    sql = blocks[-1].strip()
    return sql or None


def _limit(conn):
    state = {"n": 0}

    def tick():
        state["n"] += 1
        return state["n"] > MAX_STEPS // 1000

    conn.set_progress_handler(tick, 1000)


def _tables(conn, check):
    return [[list(row) for row in conn.execute(query)] for query in check]


def reward(completion, setup, check, expected, **_):
    """1.0 if the tables are as expected after the reply's statements, else 0.0.

    setup: SQL that builds the tables; check: list of queries over every table;
    expected: for each query, its rows.
    """
    sql = _extract(completion)
    if sql is None or BANNED.search(sql):
        return 0.0
    conn = _database(setup)
    _limit(conn)
    try:
        conn.execute("BEGIN")
        conn.executescript(sql)
        got = _tables(conn, check)
    except (sqlite3.Error, sqlite3.Warning):
        return 0.0
    finally:
        conn.rollback()  # leave the tables as they were for the next sample
    return 1.0 if got == expected else 0.0
