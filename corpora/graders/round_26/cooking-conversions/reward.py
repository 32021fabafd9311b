"""Amounts in recipes: number (decimal, fraction or mixed) and a kitchen unit."""
import re
from fractions import Fraction

VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅛": "1/8",
          "⅜": "3/8", "⅝": "5/8", "⅞": "7/8", "⅕": "1/5", "⅙": "1/6",
          "⅖": "2/5", "⅗": "3/5", "⅘": "4/5", "⅚": "5/6", "⅐": "1/7", "⅑": "1/9", "⅒": "1/10"}
VOLUME = {"ml": 1, "millilitre": 1, "milliliter": 1, "l": 1000, "litre": 1000, "liter": 1000,
          "tsp": 5, "teaspoon": 5, "tbsp": 15, "tablespoon": 15, "cup": 240,
          "pint": 480, "pt": 480}
MASS = {"g": 1, "gram": 1, "kg": 1000, "kilogram": 1000, "oz": 28, "ounce": 28,
        "lb": 448, "pound": 448}
KINDS = {"volume": VOLUME, "mass": MASS}
AMOUNT = re.compile(
    r"(?:(?P<whole>\d{1,6})(?:\s+|\s*-\s*|\s+and\s+))?(?P<num>\d{1,6})\s*[/⁄]\s*(?P<den>\d{1,6})"
    r"|(?P<decimal>\d{1,6}(?:\.\d{0,30})?|\.\d{1,30})"
)
TOLERANCE = Fraction(1, 100)


def expand_vulgar(text):
    for sign, plain in VULGAR.items():
        text = text.replace(sign, " " + plain)
    return re.sub(r"\s+", " ", text).strip()


def parse_amount(text):
    """(value, unit text) from something like '1 1/2 cups'."""
    match = AMOUNT.match(text)
    if not match:
        return None
    if match["decimal"]:
        value = Fraction(match["decimal"])
    else:
        if int(match["den"]) == 0:
            return None
        value = Fraction(int(match["num"]), int(match["den"])) + int(match["whole"] or 0)
    return value, text[match.end():].strip()


def unit_factor(name, kind):
    """Size of the unit in ml or g, None if it is not a unit of the table."""
    name = name.lower().rstrip(".").strip()
    table = KINDS[kind]
    if name in table:
        return table[name]
    if len(name) > 2 and name.endswith("s") and name[:-1] in table:
        return table[name[:-1]]
    return None


def answer_text(completion):
    text = None
    for line in completion.splitlines():
        match = re.match(r"[\s*_`>-]*amount[\s*_`]*:(.*)", line, re.IGNORECASE)
        if match:
            text = match.group(1).strip().strip("*_` ")
    return text


def reward(completion, exact, unit, kind, **row):
    text = answer_text(completion or "")
    if not text:
        return 0.0
    parsed = parse_amount(expand_vulgar(text))
    if parsed is None:
        return 0.0
    value, name = parsed
    factor = unit_factor(name if name.strip(".") else unit, kind)
    if factor is None:
        return 0.0
    truth = Fraction(exact) * unit_factor(unit, kind)
    return 1.0 if abs(value * factor - truth) <= TOLERANCE * truth else 0.0
