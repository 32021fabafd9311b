"""Unit conversion. Reply ends with `Answer: <number> <unit>`."""
import math
import re

ALIASES = {
    "km": {"km", "kilometre", "kilometres", "kilometer", "kilometers"},
    "m": {"m", "metre", "metres", "meter", "meters"},
    "cm": {"cm", "centimetre", "centimetres", "centimeter", "centimeters"},
    "kg": {"kg", "kilogram", "kilograms"},
    "g": {"g", "gram", "grams"},
    "L": {"l", "litre", "litres", "liter", "liters"},
    "mi": {"mi", "mile", "miles"},
    "ft": {"ft", "foot", "feet"},
    "lb": {"lb", "lbs", "pound", "pounds"},
    "m/s": {"m/s", "metres per second", "meters per second"},
    "km/h": {"km/h", "kph", "kilometres per hour", "kilometers per hour"},
    "kPa": {"kpa", "kilopascal", "kilopascals"},
    "kJ": {"kj", "kilojoule", "kilojoules"},
    "ha": {"ha", "hectare", "hectares"},
    "°C": {"°c", "c", "degrees celsius", "deg c"},
}

ANSWER_RE = re.compile(r"^\W*answer\W*?:\W*?([-+]?[\d,]*\.?\d+)\s*(.*)$", re.I | re.M)


def extract(text):
    """Number and unit from the last answer line, or None."""
    found = ANSWER_RE.findall(text.replace("−", "-"))
    if not found:
        return None
    number, unit = found[-1]
    try:
        value = float(number.replace(",", ""))
    except ValueError:
        return None
    return value, unit.strip().strip("*$.` ").lower()


def same_precision(value, target, decimals):
    """True when value equals target at the stated number of decimals."""
    return math.isclose(value, target, rel_tol=10.0 ** -decimals)


def reward(completion, answer, unit, decimals, **kwargs):
    parsed = extract(completion)
    if parsed is None:
        return 0.0
    value, got_unit = parsed
    if got_unit not in ALIASES[unit]:
        return 0.0
    return 1.0 if same_precision(value, float(answer), int(decimals)) else 0.0
