"""Conversions of betting odds and returns of accumulators, in exact arithmetic."""
import re
from fractions import Fraction

LABEL = re.compile(r"\s*answer\s*:\s*(.*?)\s*", re.IGNORECASE)
PLAIN = r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
HALF_CENT = Fraction(5, 1000)


def to_decimal(odds, style):
    """Any of the three notations as decimal odds (stake included)."""
    if style == "fractional":
        top, bottom = odds.split("/")
        return 1 + Fraction(int(top), int(bottom))
    if style == "american":
        size = Fraction(int(odds[1:]))
        return 1 + (size / 100 if odds[0] == "+" else 100 / size)
    return Fraction(odds)


def answer_text(completion):
    found = None
    for line in completion.replace("**", "").splitlines():
        match = LABEL.fullmatch(line)
        if match:
            found = match.group(1)
    if found is not None and found.endswith("."):
        found = found[:-1].rstrip()
    return found


def number(text, pattern):
    match = re.fullmatch(pattern, text)
    return Fraction(match.group(1).replace(",", "")) if match else None


def fractional_ok(text, price):
    if text.lower() in ("evens", "even"):
        return price == 2
    match = re.fullmatch(r"(\d+)\s*/\s*(\d+)", text)
    if not match or int(match.group(2)) == 0:
        return False
    return Fraction(int(match.group(1)), int(match.group(2))) == price - 1


def american_ok(text, price):
    match = re.fullmatch(r"([+\-\u2212\u2013\u2014])\s?(\d+)", text)
    if not match:
        return False
    size, plus = int(match.group(2)), match.group(1) == "+"
    if price == 2:
        return size == 100
    exact = (price - 1) * 100 if price > 2 else 100 / (price - 1)
    return plus == (price > 2) and abs(size - exact) <= Fraction(1, 2)


def total_price(legs):
    price = Fraction(1)
    for odds, style, result in legs:
        if result == "lost":
            return Fraction(0)
        if result == "won":
            price *= to_decimal(odds, style)
    return price


def reward(completion, legs, want, stake=None, **row):
    text = answer_text(completion)
    if not text:
        return 0.0
    price = total_price(legs)
    if want == "fractional":
        return float(fractional_ok(text, price))
    if want == "american":
        return float(american_ok(text, price))
    if want == "decimal":
        value, exact, slack = number(text, PLAIN), price, HALF_CENT
    elif want == "probability":
        value, exact, slack = number(text, PLAIN + r"\s?%"), 100 / price, Fraction(5, 100)
    else:
        value, exact, slack = number(text, r"\u00a3?\s?" + PLAIN), price * stake, HALF_CENT
    return float(value is not None and abs(value - exact) <= slack)
