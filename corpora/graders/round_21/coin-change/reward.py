"""Reward for paying an amount exactly with as few coins as possible from a limited purse."""
import re
from functools import lru_cache

TERM = re.compile(r"\s*(\d{1,9})\s*[x×*]\s*(\d{1,9})\s*", re.IGNORECASE)
NOT_FEWEST = 0.5


@lru_cache(maxsize=512)
def fewest(purse, amount):
    """Least number of coins that make up amount, or None. purse: tuple of (value, supply or None)."""
    best = [0] + [None] * amount
    for value, supply in purse:
        cap = amount // value
        copies = cap if supply is None else min(supply, cap)
        updated = best[:]
        for total in range(value, amount + 1):
            for used in range(1, min(copies, total // value) + 1):
                before = best[total - used * value]
                if before is None:
                    continue
                if updated[total] is None or before + used < updated[total]:
                    updated[total] = before + used
        best = updated
    return best[amount]


def last_line(completion):
    lines = re.findall(r"^[ \t]*coins:(.*)$", completion, re.IGNORECASE | re.MULTILINE)
    if not lines:
        return None
    return lines[-1].strip().removesuffix(".").strip()


def parse_terms(text):
    """{coin value: how many}, or None if the line is not of the agreed form."""
    chosen = {}
    for chunk in re.split(r"[,+]", text):
        match = TERM.fullmatch(chunk)
        if not match:
            return None
        count, value = (int(group) for group in match.groups())
        if value in chosen:
            return None
        chosen[value] = count
    return chosen


def affordable(chosen, purse):
    supply = dict(purse)
    for value, count in chosen.items():
        if value not in supply:
            return False
        if supply[value] is not None and count > supply[value]:
            return False
    return True


def reward(completion, coins, amount, **row) -> float:
    text = last_line(completion)
    if not text:
        return 0.0
    purse = tuple((value, supply) for value, supply in coins)
    target = fewest(purse, amount)
    if text.lower() == "impossible":
        return 1.0 if target is None else 0.0
    chosen = parse_terms(text)
    if chosen is None or not affordable(chosen, purse):
        return 0.0
    if sum(value * count for value, count in chosen.items()) != amount:
        return 0.0
    return 1.0 if sum(chosen.values()) == target else NOT_FEWEST
