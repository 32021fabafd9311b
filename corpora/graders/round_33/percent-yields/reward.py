"""Percent yield: 0.3 for the limiting reagent, 0.7 for the yield."""
import re
from decimal import Decimal
from fractions import Fraction

LIMITING = re.compile(r"^\W*limiting\W*?:[ \t*]*(.+)$", re.I | re.M)
YIELD = re.compile(r"^\W*yield\W*?:[ \t*]*(.+)$", re.I | re.M)
VALUE = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,12})?)\s*(?:\\?%)?")
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")

TOLERANCE = Fraction(3, 10)  # percentage points


def exact(value):
    return Fraction(str(value))


def extent(reagent):
    """Moles of reaction that the reagent could carry."""
    return exact(reagent["grams"]) / exact(reagent["molar_mass"]) / reagent["coefficient"]


def limiting_reagent(reagents):
    return min(reagents, key=extent)


def true_yield(reagents, product, obtained):
    moles = extent(limiting_reagent(reagents)) * product["coefficient"]
    theoretical = moles * exact(product["molar_mass"])
    return 100 * exact(obtained) / theoretical


def last(pattern, completion):
    found = pattern.findall(completion)
    return found[-1].strip().rstrip(".").strip("*`$ ").rstrip(".") if found else None


def reagent_names(reagent):
    """Formula as written (case matters) and the name of the substance."""
    return reagent["formula"], reagent["name"].casefold()


def names_reagent(text, reagent):
    formula, name = reagent_names(reagent)
    text = re.sub(r"\s+", " ", text.translate(SUBSCRIPTS))
    spellings = re.fullmatch(r"(.+?) \((.+)\)", text)
    options = spellings.groups() if spellings and text not in (formula, name) else (text,)
    return all(o == formula or o.casefold() == name for o in options)


def reward(completion, reagents, product, obtained, **row):
    score = Fraction(0)
    limiting = last(LIMITING, completion)
    if limiting and names_reagent(limiting, limiting_reagent(reagents)):
        score += Fraction(3, 10)
    answer = last(YIELD, completion)
    found = VALUE.fullmatch(answer) if answer else None
    if found:
        value = Fraction(Decimal(found.group(1)))
        if abs(value - true_yield(reagents, product, obtained)) <= TOLERANCE:
            score += Fraction(7, 10)
    return float(score)
