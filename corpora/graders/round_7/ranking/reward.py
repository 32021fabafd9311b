"""Ranking reward: Kendall's tau over the pairs that are not tied, floored at 0."""
import re
from itertools import combinations

ORDER_LINE = re.compile(r"^[ \t*_]*order[ \t*_]*:[ \t*_]*(.*)$", re.IGNORECASE | re.MULTILINE)


def clean(item):
    item = item.strip().strip("*_`.").strip()
    return re.sub(r"\s+", " ", item).casefold()


def parse(completion):
    lines = ORDER_LINE.findall(completion)
    if not lines:
        return None
    return [clean(part) for part in lines[-1].split(",")]


def tau(order, value_of):
    """(concordant - discordant) / pairs with different values."""
    balance = 0
    pairs = 0
    for first, second in combinations(order, 2):
        a, b = value_of[first], value_of[second]
        if a == b:
            continue
        pairs += 1
        balance += 1 if a < b else -1
    return balance / pairs


def reward(completion, items, values, **row):
    if not isinstance(completion, str):
        return 0.0
    order = parse(completion)
    if order is None:
        return 0.0
    value_of = {clean(name): value for name, value in zip(items, values)}
    if len(order) != len(items) or set(order) != set(value_of):
        return 0.0
    return max(0.0, tau(order, value_of))
