"""Amounts of money, to be given to the cent (or to 0.05 where the task says so)."""
import re
from decimal import Decimal

SIGNS = {"EUR": ("€", "EUR"), "USD": ("$", "US$", "USD"), "GBP": ("£", "GBP"), "CHF": ("CHF", "Fr.")}
AMOUNT = re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,12})\.([0-9]{2})")


def final_answer(text):
    """What follows 'Answer:' on the last line that starts with it, without bold marks."""
    found = None
    for line in text.splitlines():
        line = line.replace("**", "").strip()
        if line.lower().startswith("answer:"):
            found = line[len("answer:"):].strip()
    return found


def strip_currency(text, currency):
    """Remove one sign or code of the task's currency, in front of the amount or behind it."""
    for sign in sorted(SIGNS[currency], key=len, reverse=True):
        if text.lower().startswith(sign.lower()):
            return text[len(sign):].strip()
        if text.lower().endswith(sign.lower()):
            return text[: -len(sign)].strip()
    return text


def read_amount(text):
    match = AMOUNT.fullmatch(text)
    if not match:
        return None
    return Decimal(match.group(1).replace(",", "") + "." + match.group(2))


def reward(completion, answer, currency, **row):
    text = final_answer(completion)
    if text is None:
        return 0.0
    amount = read_amount(strip_currency(text, currency))
    if amount is None:
        return 0.0
    return 1.0 if amount == Decimal(answer) else 0.0
