"""Reward for matrix tasks with exact entries; some have many right answers (TRL style)."""
import re
from fractions import Fraction

ANSWER = re.compile(r"answer\W*?:\s*(\[[^A-Za-z]*\])", re.I)
ENTRY = re.compile(r"^-?\d{1,9}(?:/\d{1,9}|\.\d{1,9})?$")


def _parse(text):
    """'[[1, 2/3], [0, -4]]' -> rows of Fractions, or None."""
    text = re.sub(r"\s", "", text.replace("\u2212", "-"))
    if not re.fullmatch(r"\[\[[^\[\]]*\](?:,\[[^\[\]]*\])*\]", text):
        return None
    rows = [row.split(",") for row in re.findall(r"\[([^\[\]]*)\]", text[1:-1])]
    if len({len(row) for row in rows}) != 1:
        return None
    if not all(ENTRY.match(x) for row in rows for x in row):
        return None
    try:
        return [[Fraction(x) for x in row] for row in rows]
    except ZeroDivisionError:
        return None


def _times(a, b):
    if len(a[0]) != len(b):
        return None
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]


def _right(x, kind, a, b):
    """Whether x answers the task; a and b are matrices of whole numbers."""
    if kind == "equal":  # b is the answer itself
        return x == b
    if kind == "inverse":
        n = len(a)
        unit = [[int(i == j) for j in range(n)] for i in range(n)]
        return len(x) == n and _times(a, x) == unit
    # columns from here on: a nonzero one, any of the many
    if len(x) != len(a[0]) or len(x[0]) != 1 or not any(row[0] for row in x):
        return False
    if kind == "kernel":
        return all(row[0] == 0 for row in _times(a, x))
    if kind == "eigenvector":  # b is [[eigenvalue]]
        return _times(a, x) == [[b[0][0] * row[0]] for row in x]
    raise ValueError(kind)


def reward(completions, kind, a, b, **_):
    """1.0 for a right matrix on the last 'Answer:' line, else 0.0."""
    scores = []
    for completion, k, first, second in zip(completions, kind, a, b):
        text = completion if isinstance(completion, str) else completion[-1]["content"]
        found = ANSWER.findall(text)
        x = _parse(found[-1]) if found else None
        scores.append(float(x is not None and _right(x, k, first, second)))
    return scores
