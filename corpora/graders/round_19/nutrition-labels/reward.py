"""Nutrition panel per serving, with the stepped rounding of the label rules."""
import json
import re
from decimal import Decimal

# nutrient: (declared as zero below, [(applies up to, step), ...]); the last step has no limit
RULES = {
    "calories": ("5", [("50", "5"), (None, "10")]),
    "fat_g": ("0.5", [("5", "0.5"), (None, "1")]),
    "sodium_mg": ("5", [("140", "5"), (None, "10")]),
    "carbs_g": ("0.5", [(None, "1")]),
    "protein_g": ("0.5", [(None, "1")]),
}


def to_step(amount, step):
    """Amount as a whole number of steps."""
    step = Decimal(step)
    return (amount / step).quantize(Decimal(1)) * step


def declared(nutrient, amount):
    """The figure printed for an exact amount per serving."""
    zero_below, steps = RULES[nutrient]
    if amount < Decimal(zero_below):
        return Decimal(0)
    for limit, step in steps:
        if limit is None or amount <= Decimal(limit):
            return to_step(amount, step)
    raise AssertionError("the last step has no limit")


def build_label(per_100g, serving_g):
    # strings in the data keep the decimals exact
    factor = Decimal(serving_g) / 100
    return {name: declared(name, Decimal(per_100g[name]) * factor) for name in RULES}


def read_label(completion):
    """The last flat JSON object in the reply that parses, with numbers as Decimal."""
    for text in reversed(re.findall(r"\{[^{}]*\}", completion)):
        try:
            return json.loads(text, parse_float=Decimal, parse_int=Decimal)
        except json.JSONDecodeError:
            continue
    return None


def reward(completion, per_100g, serving_g, **row):
    label = read_label(completion)
    if label is None or set(label) != set(RULES):
        return 0.0
    if not all(isinstance(value, Decimal) for value in label.values()):
        return 0.0
    return 1.0 if label == build_label(per_100g, serving_g) else 0.0
