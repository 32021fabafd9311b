"""Reward for geometry answers with metric units, e.g. \boxed{12.5 cm^2}."""
import math
import re

BOXED = re.compile(r"\\boxed\{([^{}]*)\}")
QUANTITY = re.compile(
    r"(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)\s*"
    r"(?P<unit>mm|cm|dm|km|m)(?:\^?(?P<power>[23²³]))?"
)
METRES = {"mm": 1e-3, "cm": 1e-2, "dm": 1e-1, "m": 1.0, "km": 1e3}
POWERS = {None: 1, "2": 2, "3": 3, "²": 2, "³": 3}
REL_TOL = 0.01


def parse_quantity(text):
    """(value in SI units, dimension), or None."""
    match = QUANTITY.fullmatch(text.strip().replace("$", ""))
    if match is None:
        return None
    value = float(match.group("number"))
    power = POWERS[match.group("power")]
    return value * METRES[match.group("unit")], power


def reward(completion, answer, **row):
    """answer is a quantity such as "0.54 m^2"; any metric unit is accepted."""
    boxed = BOXED.findall(completion)
    if not boxed:
        return 0.0
    predicted = parse_quantity(boxed[-1])
    if predicted is None:
        return 0.0
    value, power = predicted
    wanted, wanted_power = parse_quantity(answer)
    if power != wanted_power:  # an area where a volume was asked for, ...
        return 0.0
    return 1.0 if math.isclose(value, wanted, rel_tol=REL_TOL) else 0.0
