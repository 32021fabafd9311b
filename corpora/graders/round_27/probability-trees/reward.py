"""Probabilities from tree diagrams: exact fractions, or decimals and percentages that are rounded well."""
import re
from fractions import Fraction

FRACTION = re.compile(r"([0-9]{1,30})/([0-9]{1,30})")
LATEX_FRACTION = re.compile(r"\\[dt]?frac\{([0-9]{1,30})\}\{([0-9]{1,30})\}")
DECIMAL = re.compile(r"([0-9]{0,30})(?:\.([0-9]{1,30}))?(%)?")
MIN_PLACES = 4


def last_box(text):
    """Content of the last \\boxed{...}, with nested braces."""
    start = text.rfind("\\boxed{")
    if start < 0:
        return None
    begin = start + len("\\boxed{")
    depth = 1
    for pos in range(begin, len(text)):
        if text[pos] == "{":
            depth += 1
        elif text[pos] == "}":
            depth -= 1
            if depth == 0:
                return text[begin:pos]
    return None


def tidy(text):
    text = text.strip().strip("$").replace("\\%", "%")
    for space in ("\\,", "\\ ", "\\;", "\\!"):
        text = text.replace(space, "")
    return re.sub(r"\s*([/%])\s*", r"\1", text.strip())


def read_value(text):
    """Return (value, half unit of the last place or None for a fraction, places as a plain number)."""
    match = FRACTION.fullmatch(text) or LATEX_FRACTION.fullmatch(text)
    if match:
        top, bottom = int(match.group(1)), int(match.group(2))
        return (Fraction(top, bottom), None, None) if bottom else None
    match = DECIMAL.fullmatch(text)
    if not match or not (match.group(1) or match.group(2)):
        return None
    whole, places, percent = match.group(1) or "0", match.group(2) or "", match.group(3)
    value = Fraction(int(whole + places), 10 ** len(places))
    digits = len(places)
    if percent:
        value /= 100
        digits += 2
    return value, Fraction(1, 2 * 10 ** digits), digits


def reward(completion, probability, **row):
    box = last_box(completion)
    if box is None:
        return 0.0
    parsed = read_value(tidy(box))
    if parsed is None:
        return 0.0
    value, half, digits = parsed
    truth = Fraction(probability)
    if value == truth:
        return 1.0
    if half is not None and digits >= MIN_PLACES and abs(value - truth) <= half:
        return 1.0
    return 0.0
