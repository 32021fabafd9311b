"""Electricity bills: compare the total in the reply with the right amount, to the cent."""
import re
from decimal import Decimal, InvalidOperation

TOTAL = re.compile(r"total[^\d\n]*([\d,]+(?:\.\d+)?)", re.I)
CENT = Decimal("0.01")


def clean(completion):
    """Drop markdown emphasis, table bars and thin spaces before searching."""
    text = completion.replace("\u202f", "").replace("\u00a0", " ")
    return re.sub(r"[*_`|]", " ", text)


def extract_total(completion):
    match = TOTAL.search(clean(completion))
    if match is None:
        return None
    try:
        return Decimal(match.group(1).replace(",", ""))
    except InvalidOperation:
        return None


def reward(completion, total, **_):
    """total: the bill as a string with two decimals, e.g. '84.17'."""
    given = extract_total(completion)
    if given is None:
        return 0.0
    # the prompt asks for the amount to the cent
    if given != given.quantize(CENT):
        return 0.0
    return 1.0 if given == Decimal(total) else 0.0
