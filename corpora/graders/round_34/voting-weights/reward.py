"""Normalised Banzhaf power of the members of a weighted vote."""
import json
import re
from fractions import Fraction
from itertools import combinations

FENCE = re.compile(r"```[ \t]*json[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
RATIO = re.compile(r"^([0-9]{1,9})\s*/\s*([0-9]{1,9})$")
DECIMAL = re.compile(r"^[0-9]{1,9}(?:\.[0-9]{1,12})?$")


def banzhaf(quota, weights):
    swings = {name: 0 for name in weights}
    names = list(weights)
    for size in range(1, len(names) + 1):
        for coalition in combinations(names, size):
            total = sum(weights[n] for n in coalition)
            if total < quota:
                continue
            for name in coalition:
                if total - weights[name] < quota:
                    swings[name] += 1
    everything = sum(swings.values())
    return {name: Fraction(s, everything) for name, s in swings.items()}


def no_repeats(pairs):
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("repeated key")
    return out


def last_object(completion):
    blocks = FENCE.findall(completion)
    if not blocks:
        return None
    try:
        value = json.loads(
            blocks[-1],
            object_pairs_hook=no_repeats,
            parse_float=str,
            parse_int=str,
        )
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def exact(value):
    """Fraction for "3/10", "0.3" or a bare JSON number (read as its text)."""
    if not isinstance(value, str):
        return None
    value = value.strip()
    ratio = RATIO.match(value)
    if ratio:
        top, bottom = int(ratio.group(1)), int(ratio.group(2))
        return Fraction(top, bottom) if bottom else None
    if DECIMAL.match(value):
        return Fraction(value)
    return None


def reward(completion, quota, weights, **row):
    given = last_object(completion)
    if given is None or set(given) != set(weights):
        return 0.0
    truth = banzhaf(quota, weights)
    for name, share in truth.items():
        if exact(given[name]) != share:
            return 0.0
    return 1.0
