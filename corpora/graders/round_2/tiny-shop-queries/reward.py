import re
import sqlite3
from collections import Counter

SCHEMA = """
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, item TEXT NOT NULL, qty INTEGER NOT NULL, price REAL NOT NULL, day TEXT NOT NULL);
"""
# The shop of the prompt and two others, so that typed-in constants do not survive.
SHOPS = [
    ([(1, "Ada", "Oslo"), (2, "Bo", "Lima"), (3, "Cy", "Oslo"), (4, "Di", None)],
     [(1, 1, "pen", 3, 1.5, "2024-01-05"), (2, 1, "ink", 1, 6.0, "2024-02-11"), (3, 2, "pen", 10, 1.4, "2024-02-12"), (4, 3, "pad", 2, 4.25, "2024-03-01")]),
    ([(1, "Eve", "Rome"), (2, "Flo", "Oslo"), (3, "Gus", None), (4, "Hal", "Oslo"), (5, "Ida", "Lima"), (6, "Flo", "Oslo")],
     [(1, 2, "pad", 1, 4.0, "2023-12-31"), (2, 2, "pen", 4, 1.25, "2024-01-01"), (3, 6, "pen", 4, 1.5, "2024-02-29"), (4, 5, "ink", 7, 5.5, "2024-02-01"), (5, 3, "lamp", 1, 30.0, "2024-05-20"), (6, 2, "pen", 2, 1.25, "2024-06-02"), (7, 5, "ink", 2, 5.75, "2022-02-03")]),
    ([(1, "Jo", "Lima"), (2, "Kim", "Lima"), (3, "Lee", "Rome"), (7, "Max", None), (9, "Ned", "Oslo")],
     [(1, 1, "lamp", 2, 28.0, "2024-02-14"), (2, 2, "lamp", 1, 29.0, "2024-02-14"), (3, 9, "ink", 3, 6.5, "2021-07-07"), (4, 9, "pad", 12, 3.5, "2024-01-31"), (5, 7, "pen", 1, 2.0, "2024-02-28"), (6, 1, "pad", 12, 3.5, "2025-02-01")]),
]
_READ = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
_NO_CALL = {"load_extension", "randomblob", "random"}


def _guard(action, arg1, arg2, db, trigger):
    if action not in _READ or (action == sqlite3.SQLITE_FUNCTION and arg2 in _NO_CALL):
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_READ and arg1.startswith("sqlite_"):
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _cell(v):
    if isinstance(v, (int, float)):
        v = round(float(v), 4)
        return 0.0 if v == 0 else v
    return v


def _run(sql, shop):
    con = sqlite3.connect(":memory:")
    try:
        con.executescript(SCHEMA)
        con.executemany("INSERT INTO customer VALUES (?,?,?)", shop[0])
        con.executemany("INSERT INTO purchase VALUES (?,?,?,?,?,?)", shop[1])
        con.commit()
        budget = [200]

        def tick():
            budget[0] -= 1
            return budget[0] < 0

        con.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 100_000)
        con.set_progress_handler(tick, 1000)
        con.set_authorizer(_guard)
        rows = con.execute(sql).fetchmany(500)
        return [tuple(_cell(v) for v in r) for r in rows]
    finally:
        con.close()


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    blocks = re.findall(r"```sql\b(.*?)```", solution_str, re.DOTALL | re.IGNORECASE)
    if len(blocks) != 1 or not blocks[0].strip() or len(blocks[0]) > 3000:
        return {"score": 0.0, "error": "format"}
    ordered = bool(extra_info and extra_info.get("ordered"))
    for shop in SHOPS:
        want = _run(ground_truth, shop)
        try:
            got = _run(blocks[0], shop)
        except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError, UnicodeError):
            return {"score": 0.0, "error": "execution"}
        same = got == want if ordered else Counter(got) == Counter(want)
        if not same:
            return {"score": 0.0, "error": "result"}
    return {"score": 1.0, "error": ""}
