import collections
import json
import re
import sqlite3

BLOCK = re.compile(r"```(?:sql|sqlite)?[ \t]*\n(.*?)```", re.S | re.I)
ALLOWED = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    getattr(sqlite3, "SQLITE_RECURSIVE", 33),
}
_RESULTS = {}


def _guard(action, *_):
    return sqlite3.SQLITE_OK if action in ALLOWED else sqlite3.SQLITE_DENY


def _execute(query, setup):
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(setup)
        connection.set_authorizer(_guard)
        ticks = iter(range(200))
        connection.set_progress_handler(lambda: next(ticks, None) is None, 10000)
        return connection.execute(query).fetchmany(500)
    except (sqlite3.Error, sqlite3.Warning, ValueError):
        return None
    finally:
        connection.close()


def _rows(query, setup):
    query = query.strip().rstrip(";").strip()
    if query not in _RESULTS:
        _RESULTS[query] = _execute(query, setup)
    return _RESULTS[query]


def _bag(rows):
    tidy = (tuple(round(v, 4) if isinstance(v, float) else v for v in row) for row in rows)
    return collections.Counter(tidy)


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """1.0 when the query returns the expected rows, in any order."""
    blocks = BLOCK.findall(solution_str)
    query = blocks[-1] if blocks else solution_str
    rows = _rows(query, extra_info["setup"])
    if rows is None:
        return 0.0
    return 1.0 if _bag(rows) == _bag(json.loads(ground_truth)) else 0.0
