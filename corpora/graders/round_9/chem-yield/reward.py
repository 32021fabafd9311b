"""Limiting reagent and actual mass of product.

Both lines have to be right; the mass may differ from the reference by 1 % (the prompt says so).
"""
import re
from fractions import Fraction

SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
GRAMS = {"g": Fraction(1), "mg": Fraction(1, 1000), "kg": Fraction(1000)}


def field(text, name):
    """Content of the last line that starts with `name:`; markdown marks are dropped."""
    value = None
    for line in text.splitlines():
        line = line.replace("*", "").replace("`", "").replace("$", "").strip()
        if line.lower().startswith(name + ":"):
            value = line.split(":", 1)[1].strip()
    return value


def grams(text):
    m = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(mg|g|kg)\.?", text)
    if m is None:
        return None
    return Fraction(m.group(1)) * GRAMS[m.group(2)]


def reference(reagents, product, percent):
    """reagents: list of {formula, coef, molar, mass}; product: {formula, coef, molar}."""
    extents = {}
    for r in reagents:
        moles = Fraction(str(r["mass"])) / Fraction(str(r["molar"]))
        extents[r["formula"]] = moles / r["coef"]
    limiting = min(extents, key=extents.get)
    theoretical = extents[limiting] * product["coef"] * Fraction(str(product["molar"]))
    return limiting, theoretical * Fraction(str(percent)) / 100


def reward(completion, reagents, product, percent, **row):
    if not isinstance(completion, str):
        completion = completion[-1]["content"]
    limiting, mass = reference(reagents, product, percent)
    said, amount = field(completion, "limiting"), field(completion, "mass")
    if said is None or amount is None:
        return 0.0
    # formulas are case-sensitive: Co is not CO
    if said.translate(SUBSCRIPTS).rstrip(".").strip() != limiting:
        return 0.0
    value = grams(amount)
    if value is None:
        return 0.0
    return 1.0 if abs(value - mass) <= mass / 100 else 0.0
