import re
from collections import Counter
from decimal import Decimal

SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
TOKEN = re.compile(r"([A-Z][a-z]?)|([(\[])|([)\]])|([0-9]+)")
TERM = re.compile(r"([A-Z][a-z]?)([0-9]*)")
MASS = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(?:g\s*/\s*mol|g\s*mol\s*\^?-1|g\s*mol⁻¹|g·mol⁻¹)?\.?")
TOLERANCE = Decimal("0.05")


def count_part(text):
    """Atoms of one part without dots, brackets may be nested."""
    stack, last = [Counter()], None
    for m in TOKEN.finditer(text):
        element, opening, closing, number = m.groups()
        if number:
            for symbol, n in last.items():
                stack[-1][symbol] += n * (int(number) - 1)
            last = None
        elif opening:
            stack.append(Counter())
            last = None
        else:
            last = Counter({element: 1}) if element else stack.pop()
            stack[-1].update(last)
    return stack[0]


def count_atoms(formula):
    total = Counter()
    for part in formula.split("·"):
        factor, body = re.fullmatch(r"([0-9]*)(.+)", part).groups()
        for symbol, n in count_part(body).items():
            total[symbol] += n * int(factor or 1)
    return total


def molar_mass(atoms, masses):
    return sum(Decimal(masses[symbol]) * n for symbol, n in atoms.items())


def labelled(completion, label):
    """Text after the last line that starts with the label."""
    hits = re.findall(rf"^[ \t*]*{label}[ \t*]*:(.*)$", completion, re.MULTILINE | re.IGNORECASE)
    return hits[-1].replace("*", "").replace("`", "").replace("$", "").strip() if hits else ""


def read_formula(text):
    text = text.translate(SUBSCRIPTS)
    text = re.sub(r"_\{([0-9]+)\}|_([0-9])", r"\1\2", text)
    text = re.sub(r"\s+", "", text)
    if not re.fullmatch(rf"(?:{TERM.pattern})+", text):
        return None
    atoms = {}
    for symbol, digits in TERM.findall(text):
        if symbol in atoms or len(digits) > 6:
            return None
        atoms[symbol] = int(digits) if digits else 1
    return atoms


def read_mass(text):
    m = MASS.fullmatch(text)
    return Decimal(m[1]) if m else None


def reward(completion, formula, masses, **row):
    truth = count_atoms(formula)
    score = 0.0
    if read_formula(labelled(completion, "FORMULA")) == truth:
        score += 0.5
    mass = read_mass(labelled(completion, "MASS"))
    if mass is not None and abs(mass - molar_mass(truth, masses)) <= TOLERANCE:
        score += 0.5
    return score
