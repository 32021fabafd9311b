"""Reward for unit conversion with a free choice of SI prefix."""
import math
import re

PREFIXES = {"": 1.0, "n": 1e-9, "\u00b5": 1e-6, "m": 1e-3, "c": 1e-2, "k": 1e3, "M": 1e6, "G": 1e9}
BASES = {
    "W": ("power", 1.0),
    "J": ("energy", 1.0),
    "Pa": ("pressure", 1.0),
    "m": ("length", 1.0),
    "g": ("mass", 1e-3),
    "L": ("volume", 1e-3),
    "V": ("voltage", 1.0),
    "Hz": ("frequency", 1.0),
}
UNITS = {p + b: (dim, scale * size) for p, scale in PREFIXES.items() for b, (dim, size) in BASES.items()}

ANSWER = re.compile(r"^[ \t*]*Answer:[ \t*]*(.+?)[ \t*.]*$", re.M)
QUANTITY = re.compile(
    r"([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)"
    r"(?:\s*[x\u00d7]\s*10\^?\{?([+-]?\d+)\}?|[eE]([+-]?\d+))?"
    r"\s*([A-Za-z\u00b5\u03bc]+)",
    re.A,
)
REL_TOL = 0.005


def read_number(digits, power, exponent):
    value = float(digits.replace(",", ""))
    shift = power or exponent
    if shift:
        value *= 10.0 ** max(-30, min(30, int(shift)))
    return value


def find_units(symbol):
    """(dimension, size in SI) of every unit that goes by the symbol."""
    wanted = symbol.replace("\u03bc", "\u00b5").lower()
    return [unit for name, unit in UNITS.items() if name.lower() == wanted]


def read_answer(completion):
    """Possible readings of the last answer line as (dimension, SI value)."""
    lines = ANSWER.findall(completion)
    if not lines:
        return []
    match = QUANTITY.fullmatch(lines[-1].strip())
    if not match:
        return []
    value = read_number(*match.group(1, 2, 3))
    return [(dim, value * size) for dim, size in find_units(match.group(4))]


def reward(completion, dimension, si_value, **row):
    for dim, value in read_answer(completion):
        if dim == dimension and math.isclose(value, si_value, rel_tol=REL_TOL):
            return 1.0
    return 0.0
