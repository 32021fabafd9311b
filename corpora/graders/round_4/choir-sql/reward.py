import random
import re
import sqlite3

SCHEMA = """
CREATE TABLE singers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, voice TEXT NOT NULL, born INTEGER NOT NULL);
CREATE TABLE concerts(id INTEGER PRIMARY KEY, town TEXT NOT NULL, year INTEGER NOT NULL, seats INTEGER NOT NULL);
CREATE TABLE appearances(singer_id INTEGER NOT NULL, concert_id INTEGER NOT NULL, solo INTEGER NOT NULL);
"""
NAMES = "Ada Bo Cleo Dov Eva Finn Gus Hana Ivo Jana Kai Lea Mio Nia".split()


def _db(seed):
    rng = random.Random(seed)
    con = sqlite3.connect(":memory:")
    con.executescript(SCHEMA)
    for i, n in enumerate(rng.sample(NAMES, 10), 1):
        con.execute("INSERT INTO singers VALUES(?,?,?,?)", (i, n, rng.choice(["soprano", "alto", "tenor", "bass"]), rng.randint(1955, 2004)))
    for i in range(1, 9):
        con.execute("INSERT INTO concerts VALUES(?,?,?,?)", (i, rng.choice(["Bern", "Graz", "Ulm", "Linz"]), rng.randint(2015, 2023), 50 * rng.randint(2, 12)))
    for s in range(1, 9):
        for c in sorted(rng.sample(range(1, 9), rng.randint(1, 5))):
            con.execute("INSERT INTO appearances VALUES(?,?,?)", (s, c, int(rng.random() < 0.3)))
    con.commit()
    con.execute("PRAGMA query_only=ON")
    ticks = [0]

    def tick():
        ticks[0] += 1
        return ticks[0] > 500
    con.set_progress_handler(tick, 10000)
    return con


def _run(sql, seed):
    con = _db(seed)
    try:
        rows = con.execute(sql).fetchmany(5000)
    except Exception:
        rows = []
    finally:
        con.close()
    return rows


def _sql_of(text):
    m = re.findall(r"```(?:sql|sqlite)?\s*(.*?)```", text, re.DOTALL | re.IGNORECASE)
    return (m[-1] if m else text).strip().rstrip(";")


def reward(answer, row):
    """Execution accuracy on five seeded databases."""
    sql = _sql_of(answer)
    for seed in (3, 14, 15, 92, 65):
        got, want = _run(sql, seed), _run(row["gold_sql"], seed)
        if not row["ordered"]:
            got, want = sorted(got, key=repr), sorted(want, key=repr)
        if got != want:
            return 0.0
    return 1.0
