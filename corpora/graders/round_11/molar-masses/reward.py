"""Molar mass grader: the number on the last `Answer:` line, in g/mol."""
import math
import re

NUMBER = r"([-+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?)"
ANSWER = re.compile(r"answer\**\s*[:=][\s*$]*(?:M\s*[=≈]\s*)?" + NUMBER + r"\s*([^\n]*)", re.IGNORECASE)
UNITS = {
    "g/mol": 1.0,
    "gmol-1": 1.0,
    "gmol^-1": 1.0,
    "gmol⁻¹": 1.0,
    "kg/mol": 1000.0,
}


def _unit_factor(text):
    """Factor that brings the written unit to g/mol; None if the unit is missing or wrong."""
    unit = re.sub(r"\\text|\\mathrm|\\cdot|\\[,;! ]|[\s*`$.·{}]", "", text)
    return UNITS.get(unit)


def extract_mass(completion):
    """Return the last stated mass in g/mol, or None."""
    found = ANSWER.findall(completion)
    if not found:
        return None
    number, unit = found[-1]
    factor = _unit_factor(unit)
    if factor is None:
        return None
    try:
        return float(number.replace(",", "")) * factor
    except ValueError:
        return None


def reward(completion, answer, tolerance=0.05, **row):
    value = extract_mass(completion)
    if value is None or not math.isfinite(value) or value <= 0:
        return 0.0
    return 1.0 if math.isclose(value, float(answer), rel_tol=float(tolerance)) else 0.0
