"""Probabilities of dice rolls and card deals, as a fraction, a decimal or a percentage."""
import math
import re
from fractions import Fraction

PRECISION = 5e-4

FRACTION = re.compile(r"(\d[\d,]{0,60})\s*/\s*(\d[\d,]{0,60})", re.ASCII)
TEX = re.compile(r"\\d?frac\{\s*(\d[\d,]{0,60})\s*\}\{\s*(\d[\d,]{0,60})\s*\}", re.ASCII)
DECIMAL = re.compile(r"(\d*\.?\d+)(?:e([-+]?\d{1,2}))?\s*(%?)", re.ASCII | re.IGNORECASE)


def last_answer(completion):
    answer = None
    for raw in completion.splitlines():
        line = raw.strip().replace("*", "").replace("$", "").strip("` ")
        if line.lower().startswith("probability:"):
            answer = line[len("probability:"):].strip().rstrip(".").strip()
    return answer


def as_int(digits):
    return int(digits.replace(",", ""))


def parse_fraction(text):
    m = FRACTION.fullmatch(text) or TEX.fullmatch(text)
    if not m:
        return None
    denominator = as_int(m[2])
    if denominator == 0:
        return None
    return Fraction(as_int(m[1]), denominator)


def parse_decimal(text):
    text = re.sub(r"\s*(?:[x×]|\\times)\s*10\s*\^\s*\{?\s*([-−]?\d{1,2})\s*\}?", r"e\1", text)
    m = DECIMAL.fullmatch(text.replace("−", "-"))
    if not m:
        return None
    value = float(m[1]) * 10.0 ** int(m[2] or 0)
    return value / 100 if m[3] else value


def agrees(value, truth):
    return math.isclose(value, float(truth), rel_tol=PRECISION, abs_tol=PRECISION)


def reward(completion, probability, **row) -> float:
    answer = last_answer(completion)
    if not answer:
        return 0.0
    truth = Fraction(probability)
    exact = parse_fraction(answer)
    if exact is not None:
        return 1.0 if exact == truth else 0.0
    value = parse_decimal(answer)
    if value is None:
        return 0.0
    return 1.0 if agrees(value, truth) else 0.0
