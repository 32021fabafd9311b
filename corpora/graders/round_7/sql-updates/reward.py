"""Data-changing SQL: run the reply's statements and compare the table afterwards."""
import functools
import re
import sqlite3

BLOCK = re.compile(r"```(?:sql|sqlite)?[ \t]*\n(.*?)```", re.S | re.I)
MAX_STEPS = 200  # callbacks, one per 10,000 virtual machine instructions
FORBIDDEN = {sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH, sqlite3.SQLITE_PRAGMA}


def authorize(action, *_):
    return sqlite3.SQLITE_DENY if action in FORBIDDEN else sqlite3.SQLITE_OK


@functools.lru_cache(maxsize=256)
def open_fixture(setup):
    """The database that a prompt describes."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.executescript(setup)
    db.set_authorizer(authorize)
    return db


def run(db, script):
    steps = 0

    def tick():
        nonlocal steps
        steps += 1
        return steps > MAX_STEPS

    db.set_progress_handler(tick, 10_000)
    try:
        db.executescript(script)
    finally:
        db.set_progress_handler(None, 0)


def normalise(row):
    return tuple(round(x, 4) if isinstance(x, float) else x for x in row)


def contents(db, table, columns):
    names = ", ".join(columns)
    rows = db.execute(f"SELECT {names} FROM {table}").fetchall()
    return sorted((normalise(r) for r in rows), key=repr)


def extract(completion):
    blocks = BLOCK.findall(completion)
    return blocks[-1].strip() if blocks else None


def reward(completion, setup, table, columns, expected, **_):
    script = extract(completion)
    if not script:
        return 0.0
    db = open_fixture(setup)
    try:
        run(db, script)
        got = contents(db, table, columns)
    except sqlite3.Error:
        return 0.0
    want = sorted((normalise(r) for r in expected), key=repr)
    return 1.0 if got == want else 0.0
