"""Sets of real numbers written as unions of intervals and finite sets."""
import re
from fractions import Fraction

LINE = re.compile(r"^[ \t]*set:(.*)$", re.IGNORECASE | re.MULTILINE)
NUMBER = re.compile(r"^[+-]?[0-9]{1,9}(?:\.[0-9]{1,9}|/[0-9]{1,9})?$")
INFINITE = re.compile(r"^([+-]?)(?:inf|infinity|\u221e)$")
INTERVAL = re.compile(r"^([\[(])([^,;]+)[,;]([^,;]+)([\])])$")


def number(text):
    if not NUMBER.match(text):
        raise ValueError(text)
    top, _, bottom = text.partition("/")
    if bottom and int(bottom) == 0:
        raise ValueError(text)
    return Fraction(top) / int(bottom) if bottom else Fraction(top)


def end(text, bracket, left):
    """A finite bound, or None for the infinity that belongs on that side."""
    infinite = INFINITE.match(text)
    if not infinite:
        return number(text)
    if bracket in "[]" or (infinite.group(1) == "-") != left:
        raise ValueError(text)
    return None


def piece(text):
    if text.startswith("{") and text.endswith("}"):
        points = [number(p) for p in re.split("[,;]", text[1:-1])]
        return [(p, True, p, True) for p in points]
    match = INTERVAL.match(text)
    if not match:
        raise ValueError(text)
    opening, low, high, closing = match.groups()
    a, b = end(low, opening, True), end(high, closing, False)
    if a is not None and b is not None and a >= b:
        raise ValueError(text)
    return [(a, opening == "[", b, closing == "]")]


def parse_set(text):
    text = "".join(text.lower().replace("\u2212", "-").split())
    if text in ("empty", "{}", "\u2205"):
        return []
    pieces = []
    for part in re.split("\u222a|union|u", text):
        pieces += piece(part)
    return pieces


def contains(pieces, x):
    for a, a_in, b, b_in in pieces:
        above = a is None or x > a or (a_in and x == a)
        below = b is None or x < b or (b_in and x == b)
        if above and below:
            return True
    return False


def same_set(one, two):
    marks = sorted({e for p in one + two for e in (p[0], p[2]) if e is not None})
    probes = list(marks) + [(x + y) / 2 for x, y in zip(marks, marks[1:])]
    probes += [marks[0] - 1, marks[-1] + 1] if marks else [Fraction(0)]
    return all(contains(one, x) == contains(two, x) for x in probes)


def reward(completion, solution, **row):
    found = LINE.findall(completion.replace("*", "").replace("`", ""))
    if not found:
        return 0.0
    text = found[-1].strip()
    if text.endswith("."):
        text = text[:-1]
    try:
        given = parse_set(text)
    except ValueError:
        return 0.0
    return 1.0 if same_set(given, parse_set(solution)) else 0.0
