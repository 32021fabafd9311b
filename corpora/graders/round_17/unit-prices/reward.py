"""Reward for comparing offers by unit price."""
import re
from decimal import Decimal

CENT = Decimal("0.01")
BASE = {"g": ("mass", Decimal(1)), "kg": ("mass", Decimal(1000)),
        "ml": ("volume", Decimal(1)), "cl": ("volume", Decimal(10)), "l": ("volume", Decimal(1000)),
        "pc": ("count", Decimal(1))}
PRICE = re.compile(r"(?:[€$£]\s*)?([0-9]{1,6}(?:\.[0-9]{1,2})?)(?:\s*(?:[€$£]|eur|usd|gbp))?", re.I)


def total_quantity(offer):
    dimension, factor = BASE[offer["unit"]]
    return dimension, Decimal(str(offer["size"])) * factor * offer["packs"]


def unit_price(offer, per):
    """Price of the offer for the quantity `per`, unrounded."""
    dimension, quantity = total_quantity(offer)
    wanted_dimension, factor = BASE[per["unit"]]
    if dimension != wanted_dimension:
        raise ValueError("units of different kinds")
    return Decimal(offer["price"]) * Decimal(per["size"]) * factor / quantity


def fields(completion):
    out = {}
    for line in completion.splitlines():
        line = line.replace("*", "").replace("`", "").strip().lstrip("-").strip()
        m = re.fullmatch(r"([A-Za-z]+)\s*:\s*(.+)", line)
        if m:
            out[m.group(1).upper()] = m.group(2).strip()
    return out


def read_price(text):
    m = PRICE.fullmatch(text)
    return Decimal(m.group(1)) if m else None


def reward(completion, offers, per, **row):
    said = fields(completion)
    exact = {label: unit_price(offer, per) for label, offer in offers.items()}
    for label, price in exact.items():
        if read_price(said.get(label, "")) != price.quantize(CENT):
            return 0.0
    best = min(exact, key=exact.get)
    return 1.0 if said.get("BEST", "").rstrip(".").upper() == best else 0.0
