"""Temperatures of rooms: readings and changes, in the unit the model prefers.

The label is in degrees Celsius; replies in Fahrenheit and kelvin are converted
before they are compared.
"""
import re

LINE = re.compile(r"^[ \t]*Answer:(.*)$", re.M | re.I)
VALUE = re.compile(r"([-+−]?[0-9]+(?:\.[0-9]+)?)\s*(°\s*[cf]|degrees? [a-z]+|[a-z]+)")
UNITS = {
    "c": "C", "°c": "C", "celsius": "C", "degrees celsius": "C", "degree celsius": "C",
    "f": "F", "°f": "F", "fahrenheit": "F", "degrees fahrenheit": "F",
    "degree fahrenheit": "F",
    "k": "K", "kelvin": "K", "kelvins": "K",
}
TOL = 0.1 + 1e-9


def to_celsius(value, unit):
    if unit == "F":
        return (value - 32) * 5 / 9
    if unit == "K":
        return value - 273.15
    return value


def parse_quantity(text):
    """(number, unit letter) from the text behind the label, or None."""
    text = re.sub(r"\s+", " ", text).strip().lower()
    if text.endswith("."):
        text = text[:-1]
    match = VALUE.fullmatch(text)
    if match is None:
        return None
    number = float(match[1].replace("−", "-"))
    name = match[2].replace("° ", "°")
    unit = UNITS.get(name)
    if unit is None:
        return None
    return number, unit


def reward(completion, kind, celsius, **row):
    lines = LINE.findall(completion)
    if not lines:
        return 0.0
    quantity = parse_quantity(lines[-1])
    if quantity is None:
        return 0.0
    got = to_celsius(*quantity)
    if kind == "change":
        # only the size is asked for, a sign in front is harmless
        got = abs(got)
    return 1.0 if abs(got - celsius) <= TOL else 0.0
