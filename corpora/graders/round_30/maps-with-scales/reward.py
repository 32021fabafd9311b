"""Lengths and areas on maps and on the ground."""
import re
from fractions import Fraction

LABEL = re.compile(r"\s*answer\s*:\s*(.*?)\s*", re.IGNORECASE)
QUANTITY = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s*([a-z]+(?:\^?2|\u00b2)?)", re.IGNORECASE)
SPELLINGS = {
    "km": {"km", "kilometres", "kilometers"},
    "m": {"m", "metres", "meters"},
    "cm": {"cm", "centimetres", "centimeters"},
    "mm": {"mm", "millimetres", "millimeters"},
    "ha": {"ha", "hectares"},
    "km2": {"km2", "km^2", "km\u00b2"},
}
IN_CM = {"km": 100_000, "m": 100, "cm": 1, "mm": Fraction(1, 10)}
IN_CM2 = {"ha": 10 ** 8, "km2": 10 ** 10}
SHARE = Fraction(1, 100)


def exact(kind, scale, value, value_unit, unit):
    """The quantity that is asked for, in the unit that is asked for."""
    amount = Fraction(value)
    if kind == "ground":
        return amount * IN_CM[value_unit] * scale / IN_CM[unit]
    if kind == "map":
        return amount * IN_CM[value_unit] / scale / IN_CM[unit]
    if kind == "area":
        return amount * scale ** 2 / IN_CM2[unit]
    raise ValueError(kind)


def read_answer(completion):
    """Number, number of written decimals and unit of the last labelled line."""
    found = None
    for line in completion.replace("**", "").splitlines():
        match = LABEL.fullmatch(line)
        if match:
            found = match.group(1)
    match = QUANTITY.fullmatch(found.rstrip(".")) if found else None
    if not match:
        return None
    whole, decimals, unit = match.groups()
    decimals = decimals or ""
    places = max(len(decimals) - 1, 0)
    return Fraction(whole.replace(",", "") + decimals), places, unit.lower()


def close(given, places, target):
    rounding = Fraction(1, 2 * 10 ** places)
    return abs(given - target) <= max(SHARE * target, rounding)


def reward(completion, kind, scale, value, value_unit, unit, **row):
    answer = read_answer(completion)
    if answer is None:
        return 0.0
    given, places, written = answer
    if written not in SPELLINGS[unit]:
        return 0.0
    return float(close(given, places, exact(kind, scale, value, value_unit, unit)))
