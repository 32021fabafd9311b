"""Percentages and rates: one number on the final `Answer:` line."""
import re
from decimal import Decimal, InvalidOperation

ANSWER_LINE = re.compile(r"^\W*(?:final\s+)?answer\W*?:(.*)$", re.I | re.M)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

# half a unit of the last decimal asked for (prompts say two decimals)
HALF_CENT = Decimal("0.005")


def final_line(completion):
    """Text behind the last `Answer:`, or None."""
    lines = ANSWER_LINE.findall(completion)
    return lines[-1].strip() if lines else None


def to_number(text):
    """First number in the text; currency and percent signs are skipped."""
    text = text.replace("−", "-").replace("\u00a0", " ")
    found = NUMBER.search(text)
    if found is None:
        return None
    try:
        return Decimal(found.group())
    except InvalidOperation:
        return None


def reward(completion, answer, **kwargs):
    line = final_line(completion)
    if line is None:
        return 0.0
    value = to_number(line)
    if value is None:
        return 0.0
    return 1.0 if abs(value - Decimal(answer)) <= HALF_CENT else 0.0
