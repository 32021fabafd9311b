"""Exact area of a polygon, optionally with a polygonal hole, read from the last \\boxed{...}."""
import re
from fractions import Fraction

UNIT = r"(?:(?:cm|\\text\{\s*cm\})(?:\^2|\^\{2\}|²))"
DIGITS = r"[0-9]+"
PLAIN = re.compile(
    rf"\s*(?P<num>{DIGITS}(?:\.{DIGITS})?|{DIGITS}\s*/\s*{DIGITS}"
    rf"|\\[dt]?frac\{{\s*{DIGITS}\s*\}}\{{\s*{DIGITS}\s*\}})"
    rf"(?:\s|\\,|\\ )*{UNIT}?\s*"
)


def last_box(text):
    """Content of the last complete \\boxed{...}, with nested braces respected."""
    content = None
    for match in re.finditer(r"\\boxed\{", text):
        depth, start = 1, match.end()
        for i in range(start, len(text)):
            if text[i] == "{":
                depth += 1
            elif text[i] == "}":
                depth -= 1
                if depth == 0:
                    content = text[start:i]
                    break
    return content


def parse_value(content):
    match = PLAIN.fullmatch(content)
    if match is None:
        return None
    num = match.group("num")
    try:
        if "frac" in num or "/" in num:
            top, bottom = re.findall(DIGITS, num)
            return Fraction(int(top), int(bottom))
        return Fraction(num)
    except (ValueError, ZeroDivisionError):
        return None


def shoelace(points):
    """Unsigned area; works for either orientation."""
    xy = [(Fraction(x), Fraction(y)) for x, y in points]
    twice = Fraction(0)
    for (x1, y1), (x2, y2) in zip(xy, xy[1:] + xy[:1]):
        twice += x1 * y2 - x2 * y1
    return abs(twice) / 2


def true_area(outer, hole):
    area = shoelace(outer)
    if hole:
        area -= shoelace(hole)
    return area


def reward(completion, outer, hole=None, **row) -> float:
    content = last_box(completion)
    if content is None:
        return 0.0
    value = parse_value(content)
    if value is None:
        return 0.0
    return 1.0 if value == true_area(outer, hole) else 0.0
