"""Reward for percent-change questions; the truth is derived from the figures in the row."""
import re
import unicodedata
from fractions import Fraction
from math import floor

FIGURE = re.compile(r"(?P<sign>[+-]?)\s*(?P<digits>\d+(?:\.\d+)?)\s*(?:%|percent|per cent)", re.IGNORECASE)
LINE = re.compile(r"^\s*change:(.*)$", re.IGNORECASE | re.MULTILINE)


def to_plain(text):
    """Fold typographic variants (no-break spaces, full-width signs and the like) into ASCII."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


def round_half_away(value, places=1):
    scale = 10 ** places
    magnitude = Fraction(floor(abs(value) * scale + Fraction(1, 2)), scale)
    return magnitude if value >= 0 else -magnitude


def exact(figure):
    return Fraction(str(figure))


def percent_change(figures, mode):
    """Signed change in percent, not rounded."""
    if mode == "chain":
        factor = Fraction(1)
        for step in figures:
            factor *= 1 + exact(step) / 100
    elif mode == "undo":
        factor = 1 / (1 + exact(figures[0]) / 100)
    else:
        old, new = map(exact, figures)
        factor = new / old
    return (factor - 1) * 100


def parse_change(completion):
    lines = LINE.findall(to_plain(completion))
    if not lines:
        return None
    match = FIGURE.fullmatch(lines[-1].strip().removesuffix(".").rstrip())
    if not match:
        return None
    value = exact(match["digits"])
    return -value if match["sign"] == "-" else value


def reward(completion, figures, mode, **row) -> float:
    answer = parse_change(completion)
    if answer is None:
        return 0.0
    return 1.0 if answer == round_half_away(percent_change(figures, mode)) else 0.0
