"""Reward for inequalities whose answer is a set of reals in interval notation."""
import re
from fractions import Fraction

ANSWER = re.compile(r"answer\s*:\s*(.+)", re.I)
PIECE = re.compile(r"^([\[(])([^,\[\]()]+),([^,\[\]()]+)([\])])$")
NUMBER = re.compile(r"^[+-]?\d{1,6}(?:/\d{1,6}|\.\d{1,6})?$")
INF = float("inf")
# points at which the two sets are compared
GRID = [Fraction(k, 2) for k in range(-60, 61)]


def _bound(text):
    if text in ("inf", "+inf"):
        return INF
    if text == "-inf":
        return -INF
    if not NUMBER.match(text):
        raise ValueError(text)
    return Fraction(text)


def _parse(text):
    """'(-inf, 2] U (3, inf)' -> list of (low, low_closed, high, high_closed)."""
    text = re.sub(r"[\s`*$]", "", text).rstrip(".")
    text = text.replace("\u221e", "inf").replace("\u2212", "-").replace("\u222a", "U")
    if text in ("{}", "\u2205"):
        return []
    pieces = []
    for part in text.split("U"):
        m = PIECE.match(part)
        if not m:
            raise ValueError(part)
        low, high = _bound(m.group(2)), _bound(m.group(3))
        low_closed, high_closed = m.group(1) == "[", m.group(4) == "]"
        if low >= high or (low == -INF and low_closed) or (high == INF and high_closed):
            raise ValueError(part)
        pieces.append((low, low_closed, high, high_closed))
    return pieces


def _inside(x, pieces):
    for low, low_closed, high, high_closed in pieces:
        if (x > low or (low_closed and x == low)) and (x < high or (high_closed and x == high)):
            return True
    return False


def _score(text, answer):
    found = ANSWER.findall(text)
    if not found:
        return 0.0
    try:
        got = _parse(found[-1])
    except (ValueError, ZeroDivisionError):
        return 0.0
    want = _parse(answer)
    # sets, not strings: the pieces may come in any order or be split differently
    return float(all(_inside(x, got) == _inside(x, want) for x in GRID))


def reward(completions, answer, **_):
    texts = [c if isinstance(c, str) else c[-1]["content"] for c in completions]
    return [_score(t, a) for t, a in zip(texts, answer)]
