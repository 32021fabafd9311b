"""Reward for arithmetic with fractions and mixed numbers.

The answer must have the right value and the form that the task asks for:
"fraction" (one fraction, may be improper) or "mixed" (whole part and proper
fraction).  Either way a whole number is written as an integer.
"""
import re
from fractions import Fraction
from math import gcd

LINE = re.compile(r"answer\s*:\s*(.*)", re.IGNORECASE)
FRAC = re.compile(r"\\d?frac\s*\{\s*([0-9]+)\s*\}\s*\{\s*([0-9]+)\s*\}")
SHAPE = re.compile(
    r"(?P<sign>-)?\s*"
    r"(?:(?P<whole>[0-9]+)(?:\s+(?:and\s+)?(?P<num>[0-9]+)\s*/\s*(?P<den>[0-9]+))?"
    r"|(?P<top>[0-9]+)\s*/\s*(?P<bottom>[0-9]+))"
)
MAX_CHARS = 60


def answer_line(completion):
    found = None
    for raw in completion.split("\n"):
        m = LINE.fullmatch(raw.replace("*", "").strip())
        if m:
            found = m.group(1)
    return found


def clean(text):
    text = text.replace("$", "").replace("−", "-").strip()
    text = FRAC.sub(r" \1/\2", text)
    return text.rstrip(".").strip()


def parse_answer(text):
    """(sign, whole part or None, fraction part or None), or None."""
    text = clean(text)
    m = SHAPE.fullmatch(text)
    if not m or len(text) > MAX_CHARS:
        return None
    sign = -1 if m.group("sign") else 1
    whole = int(m.group("whole")) if m.group("whole") else None
    top = m.group("num") or m.group("top")
    bottom = m.group("den") or m.group("bottom")
    if top is None:
        return sign, whole, None
    if int(bottom) == 0:
        return None
    return sign, whole, Fraction(int(top), int(bottom))


def in_form(whole, part, form):
    """Does the answer have the form that the task asks for, in lowest terms?"""
    if part is None:
        return True
    if part.denominator == 1 or gcd(part.numerator, part.denominator) != 1:
        return False
    if form == "fraction":
        return whole is None
    if whole == 0:
        return False
    return part < 1


def reward(completion, value, form, **row):
    text = answer_line(completion)
    if text is None:
        return 0.0
    parsed = parse_answer(text)
    if parsed is None:
        return 0.0
    sign, whole, part = parsed
    if not in_form(whole, part, form):
        return 0.0
    got = sign * ((whole or 0) + (part or 0))
    return 1.0 if got == Fraction(value) else 0.0
