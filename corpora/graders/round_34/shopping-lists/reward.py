"""Shopping lists for scaled recipes, less what is in the pantry."""
import json
import re
from fractions import Fraction
from functools import lru_cache

BLOCK = re.compile(r"<list>(.*?)</list>", re.DOTALL | re.IGNORECASE)
ENTRY = re.compile(
    r"^(?:[-\u2022]\s*)?(?P<name>[a-z][a-z ]*?)\s*:\s*"
    r"(?P<number>[0-9]{1,6}(?:\.[0-9]{1,4})?)\s*(?P<unit>[a-z]*)$"
)
FACTOR = {
    "g": ("g", 1), "kg": ("g", 1000),
    "ml": ("ml", 1), "l": ("ml", 1000),
    "": ("piece", 1), "piece": ("piece", 1), "pieces": ("piece", 1),
}


def quantity(number, unit):
    """(base unit, exact amount), or None for an unknown unit."""
    if unit not in FACTOR:
        return None
    base, factor = FACTOR[unit]
    return base, Fraction(number) * factor


@lru_cache(maxsize=4096)
def required(needs):
    """Item name -> quantity, decoded from the row's JSON."""
    table = {}
    for item in json.loads(needs):
        table[item["name"]] = quantity(str(item["amount"]), item["unit"])
    return table


def entries(block):
    """(name, quantity) for every line of the list; None when a line cannot be read."""
    out = []
    for line in block.strip().splitlines():
        line = " ".join(line.lower().split())
        if not line:
            continue
        match = ENTRY.match(line)
        if match is None:
            return None
        amount = quantity(match.group("number"), match.group("unit"))
        if amount is None:
            return None
        out.append((match.group("name"), amount))
    return out


def reward(completion, needs, **row):
    blocks = BLOCK.findall(completion)
    if not blocks:
        return 0.0
    listed = entries(blocks[-1])
    if listed is None:
        return 0.0
    wanted = required(needs)
    for name, amount in listed:
        if wanted.pop(name, None) != amount:
            return 0.0
    return 0.0 if wanted else 1.0
