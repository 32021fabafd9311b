"""Exact checks of matrix answers, by the defining property where there are several."""
import re
from fractions import Fraction

NUMBER = re.compile(r"[-+]?(?:[0-9]+/[0-9]+|[0-9]+(?:\.[0-9]+)?|\.[0-9]+)")
SEPARATOR = re.compile(r"\s*,\s*|\s+")


def to_fraction(token):
    if not NUMBER.fullmatch(token):
        raise ValueError(f"not a number: {token!r}")
    return Fraction(token)


def parse_row(text):
    return [to_fraction(token) for token in SEPARATOR.split(text.strip())]


def parse_matrix(text):
    """Rows of fractions from a nested list, a flat list, or one line per row."""
    text = text.replace("\u2212", "-").strip()
    if text.startswith("["):
        if not text.endswith("]"):
            raise ValueError("unclosed list")
        inner = text[1:-1].strip()
        if not inner.startswith("["):
            rows = [parse_row(inner)]
        elif re.fullmatch(r"\[[^\[\]]*\](?:\s*,?\s*\[[^\[\]]*\])*", inner):
            rows = [parse_row(r) for r in re.findall(r"\[([^\[\]]*)\]", inner)]
        else:
            raise ValueError("bad list")
    else:
        rows = [parse_row(line) for line in text.splitlines() if line.strip()]
    if not rows or len({len(r) for r in rows}) != 1:
        raise ValueError("ragged or empty")
    return rows


def exact(matrix):
    return [[Fraction(x) for x in row] for row in matrix]


def multiply(a, b):
    if len(a[0]) != len(b):
        return None
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]


def rank(matrix):
    m, r = [list(row) for row in matrix], 0
    for c in range(len(m[0])):
        pivot = next((i for i in range(r, len(m)) if m[i][c] != 0), None)
        if pivot is None:
            continue
        m[r], m[pivot] = m[pivot], m[r]
        for i in range(r + 1, len(m)):
            factor = m[i][c] / m[r][c]
            m[i] = [x - factor * y for x, y in zip(m[i], m[r])]
        r += 1
        if r == len(m):
            break
    return r


def exists(kind, a, b):
    if kind == "inverse":
        return rank(a) == len(a)
    if kind == "kernel":
        return rank(a) < len(a[0])
    if kind == "solve":
        return rank([x + y for x, y in zip(a, b)]) == rank(a)
    return True


def satisfies(kind, a, b, x):
    if kind == "product":
        return x == multiply(a, b)
    if kind == "inverse":
        identity = [[Fraction(int(i == j)) for j in range(len(a))] for i in range(len(a))]
        return multiply(a, x) == identity
    if kind == "solve":
        return multiply(a, x) == b
    if kind == "root":
        return multiply(x, x) == a
    if kind == "kernel":
        column = [[v] for v in x[0]] if len(x) == 1 else x
        if len(column[0]) != 1 or all(v[0] == 0 for v in column):
            return False
        return multiply(a, column) == [[0]] * len(a)
    raise ValueError(f"unknown kind {kind}")


def reward(completion, kind, a, b=None, **row):
    found = re.findall(r"<answer>(.*?)</answer>", completion, re.S)
    if not found:
        return 0.0
    text = found[-1].strip()
    a, b = exact(a), exact(b) if b else None
    if text.upper() == "NONE":
        return 0.0 if exists(kind, a, b) else 1.0
    try:
        x = parse_matrix(text)
    except (ValueError, ZeroDivisionError):
        return 0.0
    return 1.0 if satisfies(kind, a, b, x) else 0.0
