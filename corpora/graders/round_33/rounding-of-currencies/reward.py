"""Currency conversion with a rounding step per currency, halves away from zero."""
import re
from decimal import ROUND_HALF_UP, Decimal

LINE = re.compile(r"^\W*total\W*?:[ \t*]*(.+)$", re.I | re.M)
MONEY = re.compile(r"(-?)([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,12})(\.[0-9]{1,4})?")

# Smallest amount that is paid out, and the decimals that are printed.
STEPS = {
    "EUR": ("0.01", 2), "USD": ("0.01", 2), "GBP": ("0.01", 2),
    "JPY": ("1", 0), "KRW": ("1", 0),
    "KWD": ("0.001", 3), "TND": ("0.001", 3),
    "CHF": ("0.05", 2), "SEK": ("1", 0),
}


def round_to_step(value, step):
    """Nearest multiple of the step; a value half way goes away from zero."""
    step = Decimal(step)
    return (value / step).quantize(Decimal(1), rounding=ROUND_HALF_UP) * step


def convert(amount, rate, currency):
    step, _ = STEPS[currency]
    return round_to_step(Decimal(amount * rate), step)


def parse_total(completion, currency):
    """Amount on the last `Total:` line, with the code before or after it."""
    lines = LINE.findall(completion)
    if not lines:
        return None
    text = lines[-1].replace("\u2212", "-").strip().rstrip(".").strip("*` ").rstrip(".")
    if text.upper().startswith(currency):
        text = text[len(currency):]
    elif text.upper().endswith(currency):
        text = text[:-len(currency)]
    else:
        return None
    found = MONEY.fullmatch(text.strip())
    if not found:
        return None
    sign, whole, fraction = found.groups()
    return Decimal(sign + whole.replace(",", "") + (fraction or ""))


def printed_right(value, currency):
    """No digits beyond the decimals of the currency; trailing zeros may be left out."""
    return -value.as_tuple().exponent <= STEPS[currency][1]


def reward(completion, amount, rate, currency, **row):
    total = parse_total(completion, currency)
    if total is None or not printed_right(total, currency):
        return 0.0
    return 1.0 if total == convert(amount, rate, currency) else 0.0
