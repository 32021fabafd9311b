"""Household water bills: banded volume charges, sewerage, standing charge, tax."""
import re
from decimal import Decimal

CENT = Decimal("0.01")
TOTAL = re.compile(r"^[ \t*_]*total[ \t]+due[ \t*_]*:(.*)$", re.I | re.M)
AMOUNT = re.compile(
    r"(?:€|EUR)?\s*([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7})(\.[0-9]{2})\s*(?:€|EUR|euros?)?", re.I
)


def to_cent(value):
    return value.quantize(CENT)


def band_volumes(used, limits):
    """Split the use over the bands; limits are the upper ends of all bands but the last."""
    volumes, lower = [], 0
    for upper in limits:
        volumes.append(max(min(used, upper) - lower, 0))
        lower = upper
    volumes.append(max(used - lower, 0))
    return volumes


def bill(previous, current, dial, tariff):
    used = current - previous
    if used < 0:
        used += dial
    net = Decimal(0)
    for volume, price in zip(band_volumes(used, tariff["limits"]), tariff["prices"]):
        net += to_cent(volume * Decimal(price))
    net += to_cent(used * Decimal(tariff["sewerage"]))
    net += Decimal(tariff["standing"])
    tax = to_cent(net * Decimal(tariff["tax_percent"]) / 100)
    return net + tax


def parse_amount(text):
    m = AMOUNT.fullmatch(text.strip(" \t\r*_"))
    if not m:
        return None
    return Decimal(m.group(1).replace(",", "") + m.group(2))


def reward(completion, previous, current, dial, tariff, **row) -> float:
    """Readings in whole cubic metres; prices are decimal strings in euros."""
    lines = TOTAL.findall(completion)
    if not lines:
        return 0.0
    amount = parse_amount(lines[-1])
    if amount is None:
        return 0.0
    return 1.0 if amount == bill(previous, current, dial, tariff) else 0.0
