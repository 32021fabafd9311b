"""Reward for working out motorway tolls from a posted kilometre table."""
import re
from decimal import Decimal, ROUND_HALF_UP

LINE = re.compile(r"\s*toll\s*:(.*)", re.IGNORECASE)
AMOUNT = re.compile(r"(?:\u20ac\s*|EUR\s*)?([0-9]{1,4}(?:\.[0-9]{1,2})?)(?:\s*\u20ac|\s*EUR)?")
STEP = Decimal("0.10")

_tables = {}


def kilometre_table(road, plazas):
    """Plaza name -> kilometre post; parsed once per road."""
    table = _tables.get(road)
    if table is None:
        table = {}
        for entry in plazas.split(";"):
            name, km = entry.split("@")
            table[name.strip()] = Decimal(km.strip())
        _tables[road] = table
    return table


def at_night(clock):
    hour = int(clock.split(":")[0])
    return hour >= 22 or hour < 6


def toll(road, plazas, rate, entry, leave, clock, minimum, night_percent):
    table = kilometre_table(road, plazas)
    fare = abs(table[leave] - table[entry]) * Decimal(rate)
    if at_night(clock):
        fare = fare * (100 - night_percent) / 100
    fare = (fare / STEP).quantize(Decimal(1), ROUND_HALF_UP) * STEP
    return max(fare, Decimal(minimum))


def read_amount(completion):
    """Amount on the last `Toll:` line, or None."""
    amount = None
    for line in completion.splitlines():
        m = LINE.fullmatch(line.replace("*", ""))
        if m:
            text = m.group(1).strip().rstrip(".")
            hit = AMOUNT.fullmatch(text)
            amount = Decimal(hit.group(1)) if hit else None
    return amount


def reward(completion, road, plazas, rate, entry, leave, clock, minimum,
           night_percent, **row) -> float:
    amount = read_amount(completion)
    if amount is None:
        return 0.0
    due = toll(road, plazas, rate, entry, leave, clock, minimum, night_percent)
    return 1.0 if amount == due else 0.0
