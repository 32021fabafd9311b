"""Numeric answers to heat-exchange problems."""
import re
from decimal import Decimal, InvalidOperation

NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?"
RESULT = re.compile(
    r"^[\s*_`>-]*result[*_`\s]*:[*_`\s]*(?P<number>" + NUMBER + r")(?P<rest>.*)$",
    re.IGNORECASE,
)
REL_TOL = Decimal("0.01")

UNIT_SPELLINGS = {
    "degC": {"°c", "degc", "deg c", "c", "celsius", "degrees celsius", "ºc", "℃"},
    "K": {"k", "kelvin", "kelvins"},
    "kW": {"kw", "kilowatt", "kilowatts"},
    "kJ": {"kj", "kilojoule", "kilojoules"},
    "kg/s": {"kg/s", "kg s^-1", "kilograms per second"},
    "m2": {"m2", "m²", "m^2", "square metres", "square meters"},
    "1": {"-", "(dimensionless)", "dimensionless"},
}


def find_result(completion):
    """(number text, unit text) of the last Result line."""
    found = None
    for line in completion.splitlines():
        line = line.replace("\u2212", "-").replace("$", "")
        match = RESULT.match(line)
        if match:
            found = match.group("number"), match.group("rest")
    return found


def unit_ok(text, unit):
    """A unit may be left out; if there is one it has to be the one asked for."""
    text = text.strip(" *_`").rstrip(".").strip(" *_`").lower()
    return not text or text in UNIT_SPELLINGS[unit]


def allowed_error(given, truth):
    """One per cent, but never less than the rounding of the printed figure."""
    rounding = Decimal(5) * Decimal(10) ** (given.as_tuple().exponent - 1)
    return max(REL_TOL * abs(truth), rounding)


def reward(completion, value, unit, **row):
    found = find_result(completion or "")
    if found is None:
        return 0.0
    number, rest = found
    try:
        given = Decimal(number)
    except InvalidOperation:
        return 0.0
    if not unit_ok(rest, unit):
        return 0.0
    truth = Decimal(str(value))
    return 1.0 if abs(given - truth) <= allowed_error(given, truth) else 0.0
