"""Reward for scaling a recipe to another number of servings."""
import math
import re
import unicodedata
from fractions import Fraction

UNITS = {}
for factor, dimension, names in [
    (1, "spoon", "tsp teaspoon teaspoons"), (3, "spoon", "tbsp tablespoon tablespoons"),
    (48, "spoon", "cup cups"), (1, "mass", "g gram grams"), (1000, "mass", "kg kilogram kilograms"),
    (1, "volume", "ml millilitre millilitres milliliter milliliters"),
    (1000, "volume", "l litre litres liter liters"), (1, "count", "piece pieces"),
]:
    for name in names.split():
        UNITS[name] = (Fraction(factor), dimension)

AMOUNT = re.compile(r"(?:([0-9]{1,12}) )?([0-9]{1,12})/([0-9]{1,12})|([0-9]{1,12}(?:\.[0-9]{1,30})?)")
BLOCK = re.compile(r"<scaled>((?:(?!<scaled>).)*?)</scaled>", re.S | re.I)


def expand_vulgar(text):
    """Rewrite characters such as ¾ as ' 3/4'."""
    out = []
    for ch in text:
        if unicodedata.category(ch) == "No" and "⁄" in unicodedata.normalize("NFKC", ch):
            out.append(" " + unicodedata.normalize("NFKC", ch).replace("⁄", "/"))
        else:
            out.append(ch)
    return "".join(out)


def read_amount(text):
    text = " ".join(expand_vulgar(text).split())
    m = AMOUNT.fullmatch(text)
    if not m:
        return None
    whole, top, bottom, decimal = m.groups()
    if decimal is not None:
        return Fraction(decimal)
    if int(bottom) == 0:
        return None
    return int(whole or 0) + Fraction(int(top), int(bottom))


def key(name):
    return " ".join(name.casefold().split())


def read_lines(block, known):
    """Map of ingredient to (amount in base unit, dimension); None if the list is malformed."""
    out = {}
    for line in block.splitlines():
        if not line.strip():
            continue
        parts = [p.strip() for p in line.split("|")]
        if len(parts) != 3:
            return None
        name = key(parts[0])
        if name not in known or name in out:
            return None
        amount, unit = read_amount(parts[1]), UNITS.get(parts[2].casefold())
        out[name] = None if amount is None or unit is None else (amount * unit[0], unit[1])
    return out


def expected(item, ratio):
    factor, dimension = UNITS[item["unit"]]
    amount = Fraction(item["amount"]) * ratio
    if dimension == "count":
        amount = Fraction(math.ceil(amount))
    return amount * factor, dimension


def reward(completion, ingredients, serves, wanted, **row):
    blocks = BLOCK.findall(completion)
    if not blocks:
        return 0.0
    truth = {key(i["name"]): expected(i, Fraction(wanted, serves)) for i in ingredients}
    got = read_lines(blocks[-1], truth)
    if not got:
        return 0.0
    right = 0
    for name, (amount, dimension) in truth.items():
        answer = got.get(name)
        if answer is None or answer[1] != dimension:
            continue
        slack = 0 if dimension == "count" else amount / 100
        right += abs(answer[0] - amount) <= slack
    return 1.0 if right == len(truth) else round(right / len(truth), 4)
