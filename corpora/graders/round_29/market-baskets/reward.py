"""F1 over single-item association rules mined from a handful of shopping baskets."""
import json
import re
from decimal import Decimal
from fractions import Fraction
from itertools import permutations

FENCE = re.compile(r"```json[ \t]*\n(.*?)```", re.S | re.I)
TOLERANCE = Fraction(5, 1000)


def mine(baskets, min_count, min_confidence_pct):
    """All rules a -> b that reach both thresholds, with their exact confidence."""
    sets = [set(b) for b in baskets]
    items = sorted(set().union(*sets))
    rules = {}
    for a, b in permutations(items, 2):
        with_a = sum(a in s for s in sets)
        both = sum(a in s and b in s for s in sets)
        if both >= min_count and both * 100 >= min_confidence_pct * with_a:
            rules[(a, b)] = Fraction(both, with_a)
    return rules


def number(value):
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) < 50:
        return Fraction(value)
    return None


def parse(completion):
    """List of (if, then, confidence), None when the last json block is unusable."""
    blocks = FENCE.findall(completion)
    if not blocks:
        return None
    try:
        data = json.loads(blocks[-1], parse_float=Decimal, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, list):
        return None
    out = []
    for entry in data:
        if not isinstance(entry, dict):
            out.append(None)
            continue
        left, right = entry.get("if"), entry.get("then")
        if not isinstance(left, str) or not isinstance(right, str):
            out.append(None)
            continue
        out.append((left.strip().lower(), right.strip().lower(), number(entry.get("confidence"))))
    return out


def reward(completion, baskets, min_count, min_confidence_pct, **row):
    claimed = parse(completion)
    if claimed is None:
        return 0.0
    truth = mine(baskets, min_count, min_confidence_pct)
    if not truth:
        return 1.0 if not claimed else 0.0
    if not claimed:
        return 0.0
    hits = set()
    for entry in claimed:
        if entry is None:
            continue
        left, right, confidence = entry
        exact = truth.get((left, right))
        if exact is None or confidence is None:
            continue
        if abs(confidence - exact) <= TOLERANCE:
            hits.add((left, right))
    if not hits:
        return 0.0
    precision = len(hits) / len(claimed)
    recall = len(hits) / len(truth)
    return 2 * precision * recall / (precision + recall)
