"""Concentrations of solutions, with units."""
import math
import re

LINE = re.compile(r"^[ \t]*answer:(.*)$", re.IGNORECASE | re.MULTILINE)
VALUE = re.compile(
    r"^(?P<mantissa>[+-]?[0-9]+(?:\.[0-9]+)?)"
    r"(?:e(?P<e>[+-]?[0-9]{1,3})|\s*[x\u00d7]\s*10\^\(?(?P<p>[+-]?[0-9]{1,3})\)?)?"
    r"\s*(?P<unit>[^\s0-9].*)$",
    re.IGNORECASE,
)
# unit -> (family, factor to the base unit of the family)
UNITS = {
    "mol/l": ("amount", 1.0),
    "mmol/l": ("amount", 1e-3),
    "umol/l": ("amount", 1e-6),
    "g/l": ("mass", 1.0),
    "mg/l": ("mass", 1e-3),
    "ug/l": ("mass", 1e-6),
    "g/ml": ("mass", 1e3),
    "mg/ml": ("mass", 1.0),
}
MOLAR = {"M": "mol/l", "mM": "mmol/l", "uM": "umol/l"}


def unit_of(text):
    text = text.strip().replace("\u00b5", "u").replace("\u03bc", "u")
    if text in MOLAR:
        return UNITS[MOLAR[text]]
    return UNITS.get(text.replace(" ", "").lower())


def parse_quantity(completion):
    """(family, value in the base unit) of the last answer line."""
    found = LINE.findall(completion.replace("**", ""))
    if not found:
        return None
    text = found[-1].strip().replace("\u2212", "-")
    if text.endswith("."):
        text = text[:-1]
    match = VALUE.match(text)
    if match is None:
        return None
    unit = unit_of(match.group("unit"))
    if unit is None:
        return None
    power = int(match.group("e") or match.group("p") or 0)
    try:
        value = float(f"{match.group('mantissa')}e{power}")
    except (ValueError, OverflowError):
        return None
    family, factor = unit
    return family, value * factor


def reward(completion, value, unit, **row):
    given = parse_quantity(completion)
    if given is None:
        return 0.0
    family, factor = UNITS[unit.lower()]
    if given[0] != family:
        return 0.0
    close = math.isclose(given[1], value * factor, rel_tol=0.01, abs_tol=5e-3)
    return 1.0 if close else 0.0
