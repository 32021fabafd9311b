"""Balanced chemical equations: any order of species, checked by conservation of atoms and charge."""
import re
from collections import Counter
from functools import reduce
from math import gcd

SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
TOKEN = re.compile(r"([A-Z][a-z]?)(\d*)|(\()|(\))(\d*)")
CHARGE = re.compile(r"\^(\d*)([+-])$")


def atoms(formula):
    """Count the atoms of a formula; the charge is kept under the key 'q'."""
    counts = Counter()
    charge = CHARGE.search(formula)
    if charge:
        size = int(charge.group(1) or 1)
        counts["q"] = size if charge.group(2) == "+" else -size
        formula = formula[: charge.start()]
    stack = [Counter()]
    pos = 0
    while pos < len(formula):
        match = TOKEN.match(formula, pos)
        if not match:
            raise ValueError(f"cannot read {formula!r}")
        pos = match.end()
        if match.group(1):
            stack[-1][match.group(1)] += int(match.group(2) or 1)
        elif match.group(3):
            stack.append(Counter())
        else:
            inner = stack.pop()
            times = int(match.group(5) or 1)
            for element, n in inner.items():
                stack[-1][element] += n * times
    for element, n in stack[0].items():
        counts[element] += n
    return counts


def final_line(text):
    found = None
    for line in text.splitlines():
        line = line.replace("*", "").replace("`", "").strip()
        if line.lower().startswith("balanced:"):
            found = line[len("balanced:"):].strip()
    return found


def read_side(side, species):
    """Coefficients by species, or None when the side does not consist of exactly these species."""
    coefficients = {}
    for term in re.split(r"\s\+\s", side.strip()):
        match = re.fullmatch(r"([0-9]{1,4})?\s*([A-Z(]\S*)", term.strip())
        if not match:
            return None
        name = match.group(2)
        number = int(match.group(1)) if match.group(1) else 1
        if name not in species or name in coefficients or number == 0:
            return None
        coefficients[name] = number
    return coefficients if len(coefficients) == len(species) else None


def reward(completion, reactants, products, **row):
    line = final_line(completion)
    if line is None:
        return 0.0
    sides = re.split(r"->|→|=", line.translate(SUBSCRIPTS))
    if len(sides) != 2:
        return 0.0
    left = read_side(sides[0], reactants)
    right = read_side(sides[1], products)
    if left is None or right is None:
        return 0.0
    balance = Counter()
    for coefficients, sign in ((left, 1), (right, -1)):
        for name, number in coefficients.items():
            for element, n in atoms(name).items():
                balance[element] += sign * number * n
    if any(balance.values()):
        return 0.0
    common = reduce(gcd, list(left.values()) + list(right.values()))
    return 1.0 if common == 1 else 0.5
