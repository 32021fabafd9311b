"""Statics of beams: support reactions and bending moments.

Labels are in kN or kN·m. Replies carry a unit and may use scientific notation.
"""
import re

LINE = re.compile(r"^[ \t]*Answer:(.*)$", re.M | re.I)
NUMBER = re.compile(r"[-+]?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?", re.I)
FORCE = {"N": 1e-3, "kN": 1.0, "MN": 1e3}
MINUS = str.maketrans({"−": "-", "–": "-"})
REL_TOL = 0.01


def force_scale(unit):
    return FORCE.get(unit)


def moment_scale(unit):
    """kN·m, kN*m, kN m and kNm are the same unit."""
    match = re.fullmatch(r"(N|kN|MN)(?: ?[·*⋅] ?| )?m", unit)
    return FORCE[match[1]] if match else None


def parse_quantity(text, quantity):
    """The value in kN (or kN·m), or None if number or unit cannot be read."""
    text = " ".join(text.translate(MINUS).split())
    match = NUMBER.match(text)
    if match is None:
        return None
    unit = text[match.end():].strip()
    scale = moment_scale(unit) if quantity == "moment" else force_scale(unit)
    if scale is None:
        return None
    return float(match[0]) * scale


def close(got, want):
    """Within one per cent of the larger of the two values."""
    return abs(got - want) <= REL_TOL * max(abs(got), abs(want))


def reward(completion, quantity, value, **row):
    lines = LINE.findall(completion)
    if not lines:
        return 0.0
    got = parse_quantity(lines[-1], quantity)
    if got is None:
        return 0.0
    return 1.0 if close(got, value) else 0.0
