"""Reward for percentages rounded to a stated number of decimals.

The prompts ask for exact rounding (halves away from zero) and for trailing zeros,
so there is no tolerance: the answer is worked out from the row in exact fractions.
"""
import re
from fractions import Fraction

ANSWER = re.compile(r"^answer\s*:\s*(-?)(\d{1,12})(?:\.(\d{1,12}))?\s?%\.?$", re.I)


def _exact(kind, a, b):
    """The percentage as a Fraction. a and b are decimal strings."""
    a, b = Fraction(a), Fraction(b)
    if kind == "share":  # a as a percentage of b
        return 100 * a / b
    if kind == "change":  # from a to b
        return 100 * (b - a) / a
    if kind == "margin":  # bought at a, sold at b, profit as a share of the selling price
        return 100 * (b - a) / b
    if kind == "chain":  # a percent up or down, then b percent
        return 100 * ((1 + a / 100) * (1 + b / 100) - 1)
    raise ValueError(kind)


def _round(value, decimals):
    """Sign and digits of value, halves rounded away from zero."""
    scaled = abs(value) * 10 ** decimals
    units = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return (value < 0 and units > 0), units


def _parse(completion):
    """(negative, units, decimals) of the last line, or None."""
    lines = [line.strip() for line in completion.splitlines() if line.strip()]
    if not lines:
        return None
    last = re.sub(r"[*`$\\]", "", lines[-1]).replace("\u2212", "-").strip()
    m = ANSWER.match(last)
    if not m:
        return None
    sign, whole, fraction = m.group(1), m.group(2), m.group(3) or ""
    return sign == "-", int(whole + fraction), len(fraction)


def reward(completion, kind, a, b, decimals, **_):
    """1.0 if the last line is 'Answer: <number>%' with the right digits, else 0.0."""
    parsed = _parse(completion)
    if parsed is None:
        return 0.0
    negative, units = _round(_exact(kind, a, b), decimals)
    return 1.0 if parsed == (negative, units, decimals) else 0.0
