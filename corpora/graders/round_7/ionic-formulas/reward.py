"""Formulas of compounds from their names, compared by the atoms they count."""
import re
from collections import Counter

SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
BOXED = re.compile(r"\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}")


def extract_boxed(text):
    """Contents of the last \\boxed{...}."""
    found = BOXED.findall(text)
    return found[-1] if found else None


def normalise(formula):
    formula = formula.translate(SUBSCRIPTS)
    formula = re.sub(r"\\(?:text|mathrm|ce)\{([^{}]*)\}", r"\1", formula)
    formula = re.sub(r"_\{?(\d+)\}?", r"\1", formula)
    return re.sub(r"[\s$]", "", formula)


def well_formed(formula):
    return re.fullmatch(r"(?:[A-Z][a-z]?\d*|\(|\)\d*)+", formula) is not None


def count_atoms(formula):
    """'Fe2O3' -> Counter(O=3, Fe=2)"""
    counts = Counter()
    for element, number in re.findall(r"([A-Z][a-z]?)(\d*)", formula):
        counts[element] += int(number) if number else 1
    return counts


def reward(completion, answer, **_):
    boxed = extract_boxed(completion)
    if boxed is None:
        return 0.0
    formula = normalise(boxed)
    if not well_formed(formula):
        return 0.0
    return 1.0 if count_atoms(formula) == count_atoms(answer) else 0.0
