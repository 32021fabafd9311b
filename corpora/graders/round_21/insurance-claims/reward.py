"""Reward for household claims: compares the stated payout with the adjuster's figure."""
import re
from decimal import Decimal, InvalidOperation

LINE = re.compile(r"^[ \t]*payout:(.*)$", re.IGNORECASE | re.MULTILINE)
CURRENCY = re.compile(r"^(?:€|EUR)\s*|\s*(?:€|EUR)$", re.IGNORECASE)
GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?")
PLAIN = re.compile(r"\d+(?:\.\d{1,2})?")
CENT = Decimal("0.01")


def last_amount(completion):
    lines = LINE.findall(completion)
    if not lines:
        return None
    text = lines[-1].strip()
    text = text.removesuffix(".").rstrip()
    return CURRENCY.sub("", text, count=1).strip()


def to_decimal(text):
    """Read 1234.5, 1,234.50 and the like; anything else is None."""
    if GROUPED.fullmatch(text):
        text = text.replace(",", "")
    elif not PLAIN.fullmatch(text):
        return None
    try:
        return Decimal(text).quantize(CENT)
    except InvalidOperation:
        return None


def reward(completion, payout, **row) -> float:
    text = last_amount(completion)
    if not text:
        return 0.0
    amount = to_decimal(text)
    if amount is None:
        return 0.0
    return 1.0 if amount == Decimal(payout).quantize(CENT) else 0.0
