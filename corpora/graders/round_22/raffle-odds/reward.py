"""Reward for probabilities of lotteries and raffles.

The answer may be a decimal, a power of ten, a percentage, a fraction or
"1 in N".  The truth is kept as an exact fraction.
"""
import math
import re
from fractions import Fraction

LINE = re.compile(r"answer\s*:\s*(.*)", re.IGNORECASE)
NUM = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+"
SCI = re.compile(rf"({NUM})(?:e([+-]?[0-9]{{1,3}})|(?:\s*(?:x|\*|×|\\times)\s*10\s*\^?\s*\{{?([+-]?[0-9]{{1,3}})\}}?))?")
RATIO = re.compile(rf"({NUM})\s*/\s*({NUM})")
ONE_IN = re.compile(rf"({NUM})\s+in\s+({NUM})")
SUPER = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
PLAIN = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
MAX_CHARS = 60
PREFIX = re.compile(r"^(?:≈\s*|about\s+)")


def number(text):
    return Fraction(text.replace(",", ""))


def parse_probability(text):
    """Value of the answer as a Fraction, or None."""
    text = text.strip().rstrip(".").strip().lower().replace("−", "-")
    text = SUPER.sub(lambda m: "^" + m.group().translate(PLAIN), text)
    text = PREFIX.sub("", text.replace("\\%", "%"))
    if len(text) > MAX_CHARS:
        return None
    percent = text.endswith("%")
    if percent:
        text = text[:-1].strip()
    m = RATIO.fullmatch(text) or ONE_IN.fullmatch(text)
    if m:
        if percent:
            return None
        top, bottom = number(m.group(1)), number(m.group(2))
        return top / bottom if bottom else None
    m = SCI.fullmatch(text)
    if not m:
        return None
    value = number(m.group(1))
    exponent = m.group(2) or m.group(3)
    if exponent:
        value *= Fraction(10) ** int(exponent)
    return value / 100 if percent else value


def answer_line(completion):
    found = None
    for raw in completion.split("\n"):
        line = raw.replace("**", "").replace("$", "").strip()
        m = LINE.fullmatch(line)
        if m:
            found = m.group(1)
    return found


def close(got, want):
    return math.isclose(float(got), float(want), rel_tol=0.005, abs_tol=1e-4)


def reward(completion, probability, **row):
    text = answer_line(completion)
    if text is None:
        return 0.0
    got = parse_probability(text)
    if got is None or got > 1:
        return 0.0
    return 1.0 if close(got, Fraction(probability)) else 0.0
