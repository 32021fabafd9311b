"""Scale a recipe to another number of portions. All ingredients must be right."""
import math
import re
from fractions import Fraction

VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅛": "1/8",
          "⅜": "3/8", "⅝": "5/8", "⅞": "7/8", "⅙": "1/6", "⅚": "5/6"}
ALIASES = {"gram": "g", "grams": "g", "millilitre": "ml", "millilitres": "ml", "milliliters": "ml",
           "milliliter": "ml", "teaspoon": "tsp", "teaspoons": "tsp", "tablespoon": "tbsp",
           "tablespoons": "tbsp", "cups": "cup"}
HALF_CENT = Fraction(5, 1000)


def amount(text):
    """'3', '1.25', '3/4', '1 1/2', '1½' -> Fraction."""
    for ch, frac in VULGAR.items():
        text = text.replace(ch, " " + frac)
    parts = text.split()
    if len(parts) == 2 and re.fullmatch(r"\d+", parts[0]) and re.fullmatch(r"\d+/[1-9]\d*", parts[1]):
        return int(parts[0]) + Fraction(parts[1])
    if len(parts) == 1 and re.fullmatch(r"\d+/[1-9]\d*|\d+(\.\d+)?", parts[0]):
        return Fraction(parts[0])
    return None


def parse(reply):
    block = re.findall(r"<recipe>(.*?)</recipe>", reply, re.S)
    if not block:
        return None
    out = {}
    for line in block[-1].strip().splitlines():
        line = line.strip().lstrip("-*• ").strip()
        if not line:
            continue
        m = re.fullmatch(r"([A-Za-z ]+):\s*([\d./½⅓⅔¼¾⅛⅜⅝⅞⅙⅚ ]+?)\s*([A-Za-z]*)", line)
        if m is None or m.group(1).strip().lower() in out:
            return None
        unit = m.group(3).lower()
        out[m.group(1).strip().lower()] = (amount(m.group(2)), ALIASES.get(unit, unit))
    return out


def reward(completion, ingredients, serves, portions, **row):
    """ingredients: list of [name, amount as a fraction string, unit]; unit '' means whole pieces."""
    got = parse(completion)
    if got is None or set(got) != {name for name, _, _ in ingredients}:
        return 0.0
    for name, qty, unit in ingredients:
        exact = Fraction(qty) * portions / serves
        value, got_unit = got[name]
        if value is None or got_unit != unit:
            return 0.0
        if unit == "":
            if value != math.ceil(exact):  # pieces are rounded up
                return 0.0
        elif abs(value - exact) > HALF_CENT:
            return 0.0
    return 1.0
