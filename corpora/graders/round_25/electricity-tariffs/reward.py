"""Grader for electricity bills under time-of-use tariffs: the total in pounds.

The amount may be written in pounds or in pence; one penny of slack allows for
another way of rounding.
"""
import re
from decimal import Decimal

PENNY = Decimal("0.01")
LABEL = re.compile(r"total\s*:\s*(.*)", re.IGNORECASE)
POUNDS = re.compile(r"£?\s*([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(\.[0-9]{1,2})?\s*(?:GBP|pounds?)?\.?", re.IGNORECASE)
PENCE = re.compile(r"([0-9]+)(\.[0-9]+)?\s*(?:p|pence)\.?", re.IGNORECASE)


def last_total(completion):
    """Text after the last line that begins with 'Total:'."""
    text = None
    for line in completion.splitlines():
        match = LABEL.match(line.replace("*", "").replace("`", "").strip())
        if match:
            text = match.group(1).strip()
    return text


def parse_money(text):
    """Amount in pounds as a Decimal, or None if the text is no amount."""
    match = POUNDS.fullmatch(text)
    if match:
        return Decimal(match.group(1).replace(",", "") + (match.group(2) or ""))
    match = PENCE.fullmatch(text)
    if match:
        return Decimal(match.group(1) + (match.group(2) or "")) / 100
    return None


def reward(completion, total, **row) -> float:
    text = last_total(completion)
    if text is None:
        return 0.0
    amount = parse_money(text)
    if amount is None:
        return 0.0
    return 1.0 if abs(amount - Decimal(total)) <= PENNY else 0.0
