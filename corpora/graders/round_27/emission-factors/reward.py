"""Greenhouse gas totals: activity data times emission factors, reported in g, kg or t of CO2e."""
import re
from decimal import Decimal

KG_PER_UNIT = {"g": Decimal("0.001"), "kg": Decimal(1), "t": Decimal(1000)}
UNIT_NAMES = {"gram": "g", "grams": "g", "kilogram": "kg", "kilograms": "kg", "tonne": "t", "tonnes": "t"}
TOLERANCE = Decimal("0.5")
QUANTITY = re.compile(
    r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,12})(\.[0-9]{1,9})?\s*([a-z]+)(?:\s*(?:of\s+)?co2(?:e|-eq|eq)?)?\.?",
    re.I,
)


def total_kg(activities, factors):
    """Exact sum; a factor is in kg CO2e per unit of its activity."""
    total = Decimal(0)
    for item in activities:
        total += Decimal(str(item["amount"])) * Decimal(str(factors[item["source"]]))
    return total


def final_answer(text):
    found = None
    for line in text.splitlines():
        line = line.replace("*", "").replace("₂", "2").strip()
        if line.lower().startswith("answer:"):
            found = line[len("answer:"):].strip()
    return found


def read_quantity(text):
    """(number, unit) with the unit as g, kg or t; None when it is something else."""
    match = QUANTITY.fullmatch(text)
    if not match:
        return None
    unit = match.group(3).lower()
    unit = UNIT_NAMES.get(unit, unit)
    if unit not in KG_PER_UNIT:
        return None
    number = Decimal(match.group(1).replace(",", "") + (match.group(2) or ""))
    return number, unit


def reward(completion, activities, factors, **row):
    text = final_answer(completion)
    if text is None:
        return 0.0
    quantity = read_quantity(text)
    if quantity is None:
        return 0.0
    number, unit = quantity
    truth = total_kg(activities, factors) / KG_PER_UNIT[unit]
    return 1.0 if abs(number - truth) <= TOLERANCE else 0.0
