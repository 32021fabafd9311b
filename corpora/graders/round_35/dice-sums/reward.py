"""Chances with unusual dice: exact fraction, or decimal / percentage within a small margin."""
import re
from fractions import Fraction
from itertools import product

LINE = re.compile(r"^[ \t]*P[ \t]*[=≈](.*)$", re.M)
FRACTION = re.compile(r"([0-9]+)\s*/\s*([0-9]+)")
DECIMAL = re.compile(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)\s*(%?)")
MARGIN = Fraction(1, 10000)


def holds(total, test):
    kind, arg = test
    if kind == "at_least":
        return total >= arg
    if kind == "exactly":
        return total == arg
    if kind == "at_most":
        return total <= arg
    if kind == "divisible":
        return total % arg == 0
    if kind == "between":
        low, high = arg
        return low <= total <= high
    raise ValueError(kind)


def chance(dice, keep, test):
    """Share of equally likely throws whose kept sum passes the test."""
    hits = throws = 0
    for faces in product(*dice):
        throws += 1
        kept = sorted(faces, reverse=True)
        if keep is not None:
            kept = kept[:keep]
        hits += holds(sum(kept), test)
    return Fraction(hits, throws)


def parse_answer(completion):
    """(value, exact) from the last P line, or None."""
    lines = LINE.findall(completion)
    if not lines:
        return None
    text = lines[-1].strip()
    try:
        match = FRACTION.fullmatch(text)
        if match:
            return Fraction(int(match[1]), int(match[2])), True
        match = DECIMAL.fullmatch(text)
        if match:
            value = Fraction(match[1])
            return (value / 100 if match[2] else value), False
    except (ValueError, ZeroDivisionError):
        return None
    return None


def reward(completion, dice, test, keep=None, **row) -> float:
    parsed = parse_answer(completion)
    if parsed is None:
        return 0.0
    value, exact = parsed
    truth = chance(dice, keep, test)
    if exact:
        return 1.0 if value == truth else 0.0
    return 1.0 if abs(value - truth) <= MARGIN else 0.0
