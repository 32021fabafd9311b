"""Reward for invoice totals (money is compared to the cent, with Decimal)."""
import re
from decimal import Decimal, InvalidOperation

# Last line of the reply, e.g. "Total: $1,234.56", "Total: 1234.56"
TOTAL_LINE = re.compile(
    r"Total:\s*(?P<symbol>[$€£])?\s*(?P<amount>(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)\.[0-9]{2})"
)


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def parse_total(text):
    """Return (symbol or None, Decimal) from the last non-empty line, or None."""
    match = TOTAL_LINE.fullmatch(last_line(text))
    if match is None:
        return None
    try:
        amount = Decimal(match.group("amount").replace(",", ""))
    except InvalidOperation:
        return None
    return match.group("symbol"), amount


def reward(completion, answer, currency, **row):
    """1.0 if the last line states the right total, else 0.0.

    answer:   the total as a string with two decimals, e.g. "1234.56"
    currency: the invoice's currency symbol; a reply may leave the symbol out,
              but may not use another one.
    """
    parsed = parse_total(completion)
    if parsed is None:
        return 0.0
    symbol, amount = parsed
    if symbol is not None and symbol != currency:
        return 0.0
    return 1.0 if amount == Decimal(answer) else 0.0
