import re
import sqlite3
import time

_SCHEMA = """
CREATE TABLE tree(id INTEGER PRIMARY KEY, species TEXT, row_no INTEGER, planted INTEGER, height_cm INTEGER);
CREATE TABLE harvest(tree_id INTEGER, year INTEGER, kilos REAL);
"""
_TREES = [
    (1, "apple", 1, 2004, 410), (2, "apple", 1, 2011, 305), (3, "pear", 1, 2008, 452),
    (4, "plum", 2, 2015, 260), (5, "pear", 2, 2016, 288), (6, "cherry", 2, 2001, 540),
    (7, "plum", 3, 2012, 331), (8, "plum", 3, 2018, 207), (9, "apple", 3, 2013, 318),
    (10, "quince", 3, 2009, 276), (11, "cherry", 4, 2020, 150), (12, "pear", 4, 2010, 401),
]
_HARVESTS = [
    (1, 2021, 41.5), (1, 2022, 38.0), (2, 2021, 17.25), (2, 2022, 22.5), (3, 2021, 33.0),
    (3, 2022, 29.75), (4, 2022, 6.5), (5, 2021, 8.0), (6, 2020, 25.5), (6, 2021, 31.25),
    (7, 2022, 12.0), (9, 2020, 14.75), (9, 2022, 19.0), (12, 2020, 27.5), (12, 2022, 36.25),
]


def _database():
    db = sqlite3.connect(":memory:")
    db.executescript(_SCHEMA)
    db.executemany("INSERT INTO tree VALUES (?,?,?,?,?)", _TREES)
    db.executemany("INSERT INTO harvest VALUES (?,?,?)", _HARVESTS)
    end = time.monotonic() + 3
    db.set_progress_handler(lambda: time.monotonic() > end, 10000)
    return db


def _rows(db, script):
    """Run every statement; the rows of the last one, order ignored."""
    rows = []
    for statement in script.split(";"):
        if statement.strip():
            rows = db.execute(statement).fetchall()
    norm = [tuple(round(v, 4) if isinstance(v, float) else v for v in r) for r in rows]
    return sorted(norm, key=repr)


def sql_reward(prompts, completions, gold_sql, **kwargs):
    scores = []
    for completion, gold in zip(completions, gold_sql):
        text = completion[0]["content"]
        found = re.search(r"```(?:sql)?\s*\n(.*?)```", text, re.DOTALL | re.IGNORECASE)
        db = _database()
        try:
            got = _rows(db, found.group(1) if found else text)
            want = _rows(db, gold)
            scores.append(1.0 if got == want else 0.0)
        except (sqlite3.Error, sqlite3.Warning, ValueError):
            scores.append(0.0)
        finally:
            db.close()
    return scores
