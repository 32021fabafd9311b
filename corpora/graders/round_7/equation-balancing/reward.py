"""Balancing of chemical equations: last line 'Equation: a A + b B -> c C'."""
import math
import re
from collections import Counter

SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
TOKEN = re.compile(r"([A-Z][a-z]?)|(\()|(\))|(\d+)")


def atoms(formula):
    """Counter of the atoms in a formula, with nested groups; ValueError if it is malformed."""
    stack, last, pos = [Counter()], None, 0
    while pos < len(formula):
        m = TOKEN.match(formula, pos)
        if not m:
            raise ValueError(formula)
        element, opening, closing, digits = m.groups()
        if element:
            last = Counter({element: 1})
            stack[-1].update(last)
        elif opening:
            stack.append(Counter())
            last = None
        elif closing:
            if len(stack) < 2:
                raise ValueError(formula)
            last = stack.pop()
            stack[-1].update(last)
        else:
            if last is None:
                raise ValueError(formula)
            for name, count in last.items():  # one copy is in already
                stack[-1][name] += count * (int(digits) - 1)
            last = None
        pos = m.end()
    if len(stack) != 1:
        raise ValueError(formula)
    return stack[0]


def side(text):
    """{formula: coefficient} for one side of an equation."""
    species = {}
    for term in text.split(" + ") if " + " in text else text.split("+"):
        m = re.fullmatch(r"\s*(\d{1,4})?\s*\*?\s*([A-Z(][A-Za-z0-9()]*)\s*", term)
        if not m or m.group(2) in species:
            raise ValueError(term)
        species[m.group(2)] = int(m.group(1) or 1)
    return species


def total(species):
    count = Counter()
    for formula, n in species.items():
        for element, k in atoms(formula).items():
            count[element] += n * k
    return count


def reward(completion, reactants, products, **_):
    lines = [x.strip(" *`$") for x in completion.strip().splitlines() if x.strip(" *`$")]
    m = re.match(r"Equation\**\s*:\**\s*(.+)$", lines[-1], flags=re.I) if lines else None
    if not m:
        return 0.0
    halves = re.split(r"->|→|⟶|=", m.group(1).translate(SUBSCRIPTS).rstrip("."))
    if len(halves) != 2:
        return 0.0
    try:
        left, right = side(halves[0]), side(halves[1])
    except ValueError:
        return 0.0
    if set(left) != set(reactants) or set(right) != set(products):
        return 0.0
    coefficients = list(left.values()) + list(right.values())
    if min(coefficients) < 1 or total(left) != total(right):
        return 0.0
    return 1.0 if math.gcd(*coefficients) == 1 else 0.5
