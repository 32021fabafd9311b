"""Doses of medicines, recomputed exactly and checked for safe writing."""
import re
from fractions import Fraction

LINE = re.compile(r"^[ \t]*Give:[ \t]*(.*?)[ \t]*$", re.M)
AMOUNT = re.compile(r"(?P<number>(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]{0,9})(?:\.[0-9]{1,9})?)[ ]?(?P<unit>[A-Za-z]+)")

MASS = {
    "mcg": Fraction(1, 1000), "microgram": Fraction(1, 1000), "micrograms": Fraction(1, 1000),
    "mg": Fraction(1), "milligram": Fraction(1), "milligrams": Fraction(1),
    "g": Fraction(1000), "gram": Fraction(1000), "grams": Fraction(1000),
}
VOLUME = dict.fromkeys(
    ["mL", "ml", "millilitre", "millilitres", "milliliter", "milliliters"], Fraction(1))


def round_half_up(value, step):
    return ((value / step + Fraction(1, 2)) // 1) * step


def single_dose_mg(order):
    """Mass of one dose, in mg, after division of the daily dose and the ceiling."""
    mass = Fraction(order["mg_per_kg"]) * Fraction(order["weight_kg"])
    if order["basis"] == "day":
        mass /= order["doses_per_day"]
    if order.get("max_mg") is not None:
        mass = min(mass, Fraction(order["max_mg"]))
    return mass


def expected(order):
    mass = single_dose_mg(order)
    step = Fraction(order["step"])
    if order["ask"] == "mass":
        return round_half_up(mass, step), MASS
    volume = mass * Fraction(order["stock_ml"]) / Fraction(order["stock_mg"])
    return round_half_up(volume, step), VOLUME


def safely_written(number):
    """No naked decimal point, no trailing zero after the point, no idle leading zero."""
    whole, _, decimals = number.partition(".")
    if whole == "" or (len(whole) > 1 and whole.startswith("0")):
        return False
    return "." not in number or not decimals.endswith("0")


def reward(completion, order, **row):
    lines = LINE.findall(completion.replace("\r\n", "\n"))
    if not lines:
        return 0.0
    match = AMOUNT.fullmatch(lines[-1])
    if match is None or not match["number"]:
        return 0.0
    number = match["number"]
    value, units = expected(order)
    factor = units.get(match["unit"])
    if factor is None:
        return 0.0
    if Fraction("0" + number.replace(",", "")) * factor != value:
        return 0.0
    return 1.0 if safely_written(number) else 0.3
