"""Reward for reconciling book stock with a physical count."""
import re

BLOCK = re.compile(r"<report>((?:(?!<report>).)*?)</report>", re.S | re.I)
ENTRY = re.compile(r"(?:-\s+)?([A-Z]{2,3}-[0-9]{2,4})\s*:\s*([+\-−–])\s*([0-9]{1,6})", re.I)

SIGN = {"receipt": 1, "customer return": 1, "transfer in": 1,
        "sale": -1, "damage": -1, "transfer out": -1, "supplier return": -1}


def book_stock(opening, movements):
    stock = dict(opening)
    for sku, kind, quantity in movements:
        stock[sku] = stock.get(sku, 0) + SIGN[kind] * quantity
    return stock


def variances(opening, movements, counted):
    book = book_stock(opening, movements)
    out = {}
    for sku in set(book) | set(counted):
        gap = counted.get(sku, 0) - book.get(sku, 0)
        if gap:
            out[sku] = gap
    return out


def parse_report(completion):
    """Map of SKU to variance, {} for NONE, or None if the report cannot be read."""
    blocks = BLOCK.findall(completion)
    if not blocks:
        return None
    lines = [ln.strip() for ln in blocks[-1].splitlines() if ln.strip()]
    if len(lines) == 1 and lines[0].upper() == "NONE":
        return {}
    claims = {}
    for ln in lines:
        m = ENTRY.fullmatch(ln)
        if not m:
            return None
        sku = m.group(1).upper()
        if sku in claims:
            return None
        value = int(m.group(3))
        claims[sku] = -value if m.group(2) in ("-", "−", "–") else value
    return claims or None


def agree(claims, truth):
    pairs = zip(sorted(claims.items()), sorted(truth.items()))
    return all(claim == fact for claim, fact in pairs)


def reward(completion, opening, movements, counted, **row):
    claims = parse_report(completion)
    if claims is None:
        return 0.0
    truth = variances(opening, movements, counted)
    if not claims or not truth:
        return 1.0 if claims == truth else 0.0
    return 1.0 if agree(claims, truth) else 0.0
