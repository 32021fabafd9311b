"""Loans and savings: amounts of money, to the cent."""
import math
import re

FINAL = re.compile(r"final answer\s*:\s*(.+)", re.I)
AMOUNT = re.compile(r"-?\s*(?:[$€£]|USD|EUR|GBP)?\s*(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)", re.I)


def extract_amount(text):
    """The amount on the last 'Final answer:' line as a float, or None."""
    lines = FINAL.findall(text)
    if not lines:
        return None
    line = lines[-1].replace("**", "").replace("\\$", "$").strip()
    m = AMOUNT.match(line)
    if not m:
        return None
    value = float(m.group(1).replace(",", ""))
    return -value if line.startswith("-") else value


def amounts_match(value, gold):
    # allow for rounding in the last digit
    return math.isclose(value, gold, rel_tol=1e-2)


def reward(completion, answer, **_):
    value = extract_amount(completion)
    if value is None:
        return 0.0
    return 1.0 if amounts_match(value, float(answer)) else 0.0
