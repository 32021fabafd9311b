"""Thin lenses: numeric answers with units, compared in millimetres, dioptres or as a ratio."""
import math
import re

NUMBER = r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,2})?"
ANSWER = re.compile(rf"^\W*answer\W*?:[ \t*]*({NUMBER})[ \t]*(.*)$", re.I | re.M)

TO_MM = {"mm": 1.0, "cm": 10.0, "m": 1000.0}
POWER_UNITS = {"d", "dpt", "dioptre", "dioptres", "diopter", "diopters", "1/m", "m^-1"}
REL_TOL = 0.02
SLACK = 0.5


def solve(quantity, f_cm, object_cm):
    """Value in the base unit of the quantity (mm, dioptres or none); real is positive."""
    image_cm = f_cm * object_cm / (object_cm - f_cm)
    if quantity == "image_distance":
        return image_cm * TO_MM["cm"]
    if quantity == "magnification":
        return -image_cm / object_cm
    if quantity == "power":
        return 100.0 / f_cm
    raise ValueError(f"unknown quantity {quantity!r}")


def parse(completion, quantity):
    """Number of the last answer line in the base unit, or None if number or unit do not fit."""
    text = completion.replace("\u2212", "-")
    found = ANSWER.findall(text)
    if not found:
        return None
    number, unit = found[-1]
    value = float(number)
    unit = unit.strip().rstrip(".").strip("* ").rstrip(".")
    if quantity == "image_distance":
        return value * TO_MM[unit] if unit in TO_MM else None
    if quantity == "power":
        return value if unit.lower() in POWER_UNITS else None
    return value if unit.lower() in {"", "x", "×"} else None


def reward(completion, quantity, f_cm, object_cm, **row):
    value = parse(completion, quantity)
    if value is None:
        return 0.0
    truth = solve(quantity, f_cm, object_cm)
    return 1.0 if math.isclose(value, truth, rel_tol=REL_TOL, abs_tol=SLACK) else 0.0
