"""Electricity bills with blocks of use, a daily charge, a discount and tax."""
import re
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
AMOUNT = re.compile(r"[$€£]?\s?([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)\.([0-9]{2})")
UNITS = re.compile(r"([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\s?kwh)?", re.IGNORECASE)
WEIGHTS = {"usage": 0.2, "subtotal": 0.3, "total": 0.5}


def to_cent(value):
    return value.quantize(CENT, rounding=ROUND_HALF_UP)


def usage_of(previous, current, digits):
    """The meter starts again at zero after all nines."""
    return (current - previous) % 10 ** digits


def energy_cost(units, blocks):
    """Blocks are [size, price]; the last one has no size and takes the rest."""
    cost, left = Decimal(0), units
    for size, price in blocks:
        taken = left if size is None else min(left, size)
        cost += taken * Decimal(price)
        left -= taken
    return to_cent(cost)


def work_out(bill):
    units = usage_of(bill["previous"], bill["current"], bill["digits"])
    energy = energy_cost(units, bill["blocks"])
    standing = to_cent(bill["days"] * Decimal(bill["daily"]))
    discount = to_cent(energy * Decimal(bill["discount_pct"]) / 100)
    subtotal = max(energy - discount + standing, Decimal(bill["minimum"]))
    tax = to_cent(subtotal * Decimal(bill["tax_pct"]) / 100)
    return {"usage": units, "subtotal": subtotal, "total": subtotal + tax}


def labelled_lines(completion):
    """Last value given for every label."""
    found = {}
    for raw in completion.splitlines():
        line = raw.replace("*", "").replace("`", "").strip().removeprefix("- ")
        label, colon, value = line.partition(":")
        if colon and label.strip().lower() in WEIGHTS:
            found[label.strip().lower()] = value.strip()
    return found


def matches(label, text, due):
    if label == "usage":
        m = UNITS.fullmatch(text)
        return bool(m) and Decimal(m[1].replace(",", "")) == due
    m = AMOUNT.fullmatch(text)
    return bool(m) and Decimal(m[1].replace(",", "") + "." + m[2]) == due


def reward(completion, bill, **row) -> float:
    due = work_out(bill)
    given = labelled_lines(completion)
    points = [weight for label, weight in WEIGHTS.items()
              if label in given and matches(label, given[label], due[label])]
    return round(sum(points), 2)
