"""Grader for titration curves: the pH after several additions of titrant.

The truth is computed from the charge balance, so no approximation of a
particular region (buffer, equivalence, excess) enters.
"""
import re

KW = 1.0e-14
TOLERANCE = 0.05
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?|-?\.[0-9]+")


def mean_deprotonation(h, pkas):
    """Average number of protons that one molecule of the acid has lost."""
    if not pkas:
        return 1.0
    terms = [1.0]
    for pka in pkas:
        terms.append(terms[-1] * 10.0 ** -pka / h)
    return sum(i * t for i, t in enumerate(terms)) / sum(terms)


def exact_ph(role, pkas, conc, volume, titrant, added):
    """Solve the charge balance by bisection in pH."""
    total = volume + added
    analyte = conc * volume / total
    other = titrant * added / total

    def surplus(ph):
        h = 10.0 ** -ph
        lost = mean_deprotonation(h, pkas)
        if role == "acid":      # sodium comes in with the titrant
            return h + other - KW / h - analyte * lost
        # the base holds a proton unless lost; chloride comes in with the titrant
        held = (1.0 - lost) if pkas else 1.0
        return h + analyte * held - KW / h - other

    low, high = -2.0, 16.0
    for _ in range(100):
        middle = (low + high) / 2
        if surplus(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def read_values(completion):
    """Entries of the last line that begins with 'pH:'; None when there is none."""
    found = None
    for line in completion.splitlines():
        line = re.sub(r"[*`]", "", line).strip()
        if line[:3].lower() == "ph:":
            found = line[3:]
    if found is None:
        return None
    values = []
    for entry in found.split(","):
        entry = entry.strip()
        values.append(float(entry) if NUMBER.fullmatch(entry) else None)
    return values


def reward(completion, role, pkas, conc, volume, titrant, additions, **row) -> float:
    values = read_values(completion)
    if values is None or len(values) != len(additions):
        return 0.0
    right = 0
    for value, added in zip(values, additions):
        truth = exact_ph(role, pkas, conc, volume, titrant, added)
        if value is not None and abs(value - truth) <= TOLERANCE + 1e-9:
            right += 1
    return right / len(additions)
