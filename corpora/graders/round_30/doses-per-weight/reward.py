"""Single doses worked out from body weight, compared in micrograms."""
import re
import unicodedata
from fractions import Fraction

MICROGRAMS = {"g": 1_000_000, "mg": 1_000, "mcg": 1, "µg": 1}
LB = Fraction(4536, 10000)
LABEL = re.compile(r"\s*dose\s*:\s*(.*?)\s*", re.IGNORECASE)
QUANTITY = re.compile(r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*([^\W\d_]+)\.?")
TOLERANCE = Fraction(1, 100)


def normal(text):
    """Full-width digits, no-break spaces and the like in their plain form."""
    return unicodedata.normalize("NFKC", text).replace("**", "")


def quantity(completion):
    """Amount in micrograms on the last line with the label, or None."""
    found = None
    for line in normal(completion).splitlines():
        match = LABEL.fullmatch(line)
        if match:
            found = match.group(1)
    match = QUANTITY.fullmatch(found) if found else None
    if not match:
        return None
    factor = MICROGRAMS.get(match.group(2).lower())
    if factor is None:
        return None
    return Fraction(match.group(1).replace(",", "")) * factor


def single_dose(per_kg, per_kg_unit, weight, weight_unit, parts, cap_mcg):
    """Micrograms per administration; the cap holds for one administration."""
    kilos = Fraction(str(weight)) * (LB if weight_unit == "lb" else 1)
    daily = Fraction(str(per_kg)) * (1_000 if per_kg_unit == "mg" else 1) * kilos
    dose = daily / parts
    if cap_mcg is not None:
        dose = min(dose, Fraction(str(cap_mcg)))
    return dose


def reward(completion, per_kg, per_kg_unit, weight, weight_unit, parts, cap_mcg, **row):
    given = quantity(completion)
    if given is None:
        return 0.0
    exact = single_dose(per_kg, per_kg_unit, weight, weight_unit, parts, cap_mcg)
    return 1.0 if abs(given - exact) <= TOLERANCE * exact else 0.0
