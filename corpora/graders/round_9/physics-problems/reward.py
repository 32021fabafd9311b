"""Reward for short physics word problems with a number and a unit."""
import math
import re

BASE = {
    "m": "length", "s": "time", "g": "mass", "m/s": "speed", "m/s^2": "acceleration",
    "N": "force", "J": "energy", "W": "power", "Pa": "pressure", "V": "voltage",
    "A": "current", "ohm": "resistance", "C": "charge", "F": "capacitance", "Hz": "frequency",
}
PREFIX = {
    "": 1.0, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "c": 1e-2, "d": 1e-1,
    "h": 1e2, "k": 1e3, "M": 1e6, "G": 1e9,
}

# unit -> (dimension, factor to SI)
UNITS = {p + u: (d, f * (1e-3 if u == "g" else 1.0)) for u, d in BASE.items() for p, f in PREFIX.items()}
UNITS.update({"min": ("time", 60.0), "h": ("time", 3600.0), "km/h": ("speed", 1 / 3.6)})

ANSWER_RE = re.compile(r"^\W*answer\W*?:\W*?([-+]?\d.*)$", re.IGNORECASE | re.MULTILINE)
QUANTITY_RE = re.compile(
    r"^([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)"
    r"(?:\s*(?:\*|x|×)\s*10\s*\^\s*\{?([-+]?\d+)\}?)?"
    r"\s*([A-Za-zµμΩ/^²0-9]+)\s*\W*$"
)


def clean_unit(unit):
    unit = unit.replace("µ", "u").replace("μ", "u").replace("²", "^2")
    return unit.replace("Ω", "ohm").replace("ohms", "ohm")


def parse_quantity(text):
    """'3.2 x 10^-3 m' -> ('length', 0.0032), or None."""
    text = text.strip().replace("−", "-").replace("⁻", "-")
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    m = QUANTITY_RE.match(text)
    if not m:
        return None
    value = float(m.group(1))
    if m.group(2):
        value *= 10.0 ** int(m.group(2))
    unit = clean_unit(m.group(3))
    if unit not in UNITS:
        return None
    dim, factor = UNITS[unit]
    return dim, value * factor


def reward(completion, value, unit, **row):
    """1.0 when the last `Answer:` line is within 2% of the reference, else 0.0."""
    lines = ANSWER_RE.findall(completion.replace("−", "-"))
    if not lines:
        return 0.0
    got = parse_quantity(lines[-1])
    if got is None:
        return 0.0
    dim, factor = UNITS[unit]
    if got[0] != dim:
        return 0.0
    want = value * factor
    return 1.0 if math.isclose(got[1], want, rel_tol=0.02, abs_tol=1e-2) else 0.0
