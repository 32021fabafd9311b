"""Reward for choosing what to pack: best value under a weight limit and pairing rules."""
from decimal import Decimal

MARKER = "Pack:"
NEARLY = Decimal("0.95")
NEARLY_PAY = 0.3


def fold(text):
    return " ".join(text.split()).casefold()


def read_choice(completion, names):
    """Set of item names on the last 'Pack:' line, or None if it names a stranger or an item twice."""
    lines = [line.strip().strip("*`").strip() for line in completion.splitlines()]
    lines = [line for line in lines if line.startswith(MARKER)]
    if not lines:
        return None
    known = {fold(n): n for n in names}
    chosen = set()
    text = lines[-1][len(MARKER):].strip().strip("*`").strip()
    if text.endswith("."):
        text = text[:-1]
    for part in text.split(","):
        name = known.get(fold(part))
        if name is None or name in chosen:
            return None
        chosen.add(name)
    return chosen


def allowed(chosen, weights, capacity, excludes, needs):
    if sum((weights[n] for n in chosen), Decimal(0)) > capacity:
        return False
    if any(a in chosen and b in chosen for a, b in excludes):
        return False
    return all(b in chosen for a, b in needs if a in chosen)


def best_value(names, weights, values, capacity, excludes, needs):
    best = 0
    for mask in range(1 << len(names)):
        chosen = {n for i, n in enumerate(names) if mask >> i & 1}
        value = sum(values[n] for n in chosen)
        if value > best and allowed(chosen, weights, capacity, excludes, needs):
            best = value
    return best


def reward(completion, items, capacity, excludes, needs, **row):
    names = [item["name"] for item in items]
    weights = {item["name"]: Decimal(item["kg"]) for item in items}
    values = {item["name"]: item["value"] for item in items}
    limit = Decimal(capacity)

    chosen = read_choice(completion, names)
    if chosen is None or not allowed(chosen, weights, limit, excludes, needs):
        return 0.0
    value = sum(values[n] for n in chosen)
    best = best_value(names, weights, values, limit, excludes, needs)
    if value == best:
        return 1.0
    return NEARLY_PAY if value >= NEARLY * best else 0.0
