"""Text-to-SQL reward: run the predicted query and the reference query on the
same in-memory SQLite database and compare what comes back."""
import re
import sqlite3
from collections import Counter

MAX_STEPS = 2_000_000
COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)


def extract_sql(solution_str):
    text = solution_str.split("</think>")[-1]
    blocks = re.findall(r"```sql\s*\n(.*?)```", text, flags=re.DOTALL | re.IGNORECASE)
    if len(blocks) != 1:
        return None
    return blocks[0].strip()


def execute(setup, query):
    conn = sqlite3.connect(":memory:")
    try:
        conn.executescript(setup)
        conn.commit()
        conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000)
        conn.execute("PRAGMA query_only = ON")
        budget = [MAX_STEPS // 1000]

        def tick():
            budget[0] -= 1
            return budget[0] < 0

        conn.set_progress_handler(tick, 1000)
        cur = conn.execute(query)
        if cur.description is None:
            return None
        header = [d[0].lower() for d in cur.description]
        rows = cur.fetchmany(5000)
        return header, rows
    finally:
        conn.close()


def _cell(v):
    if isinstance(v, float):
        return round(v, 4) + 0.0
    return v


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    query = extract_sql(solution_str)
    if not query:
        return {"score": 0.0, "executed": 0.0}
    if not re.match(r"(select|with)\b", COMMENT.sub("", query).strip(), re.IGNORECASE):
        return {"score": 0.0, "executed": 0.0}

    try:
        pred = execute(extra_info["setup"], query)
    except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError):
        return {"score": 0.0, "executed": 0.0}
    if pred is None:
        return {"score": 0.0, "executed": 0.0}
    gold = execute(extra_info["setup"], ground_truth)

    pred_rows = [tuple(_cell(v) for v in r) for r in pred[1]]
    gold_rows = [tuple(_cell(v) for v in r) for r in gold[1]]
    if extra_info.get("ordered"):
        same = pred_rows == gold_rows
    else:
        same = Counter(pred_rows) == Counter(gold_rows)
    same = same and pred[0] == gold[0]
    return {"score": 1.0 if same else 0.0, "executed": 1.0}
