"""Settling up among friends: any plan that clears all balances; the fewest payments earn full marks."""
import re
from functools import lru_cache

PLAN = re.compile(r"<plan>((?:(?!<plan>).)*?)</plan>", re.S)
LINE = re.compile(r"(?P<src>[A-Za-z]+)\s*->\s*(?P<dst>[A-Za-z]+)\s*:\s*(?P<amt>[0-9]{1,9}(?:\.[0-9]{1,2})?)")


def to_cents(text):
    whole, _, part = text.partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0"))


def balances(people, bills):
    """Positive: is owed money. Negative: owes money. In cents."""
    out = {p: 0 for p in people}
    for bill in bills:
        cents = to_cents(bill["amount"])
        share, rest = divmod(cents, len(bill["shared_by"]))
        if rest:
            raise ValueError("bill does not split evenly")
        out[bill["payer"]] += cents
        for p in bill["shared_by"]:
            out[p] -= share
    return out


def fewest_payments(amounts):
    """People with open balances minus the largest number of groups that clear among themselves."""
    open_ = tuple(a for a in amounts if a)
    n = len(open_)
    sums = [0] * (1 << n)
    for mask in range(1, 1 << n):
        low = (mask & -mask).bit_length() - 1
        sums[mask] = sums[mask & (mask - 1)] + open_[low]

    @lru_cache(maxsize=None)
    def groups(mask):
        best = 0
        for i in range(n):
            if mask >> i & 1:
                best = max(best, groups(mask & ~(1 << i)))
        return best + (1 if mask and sums[mask] == 0 else 0)

    return n - groups((1 << n) - 1)


def parse_plan(completion):
    """List of (payer, receiver, cents), or None if the block is missing or malformed."""
    blocks = PLAN.findall(completion)
    if not blocks:
        return None
    lines = [ln.strip() for ln in blocks[-1].splitlines() if ln.strip()]
    if lines == ["none"]:
        return []
    if not lines:
        return None
    plan = []
    for ln in lines:
        match = LINE.fullmatch(ln)
        if match is None:
            return None
        plan.append((match["src"], match["dst"], to_cents(match["amt"])))
    return plan


def reward(completion, people, bills, **row) -> float:
    plan = parse_plan(completion)
    if plan is None:
        return 0.0
    left = balances(people, bills)
    fewest = fewest_payments(left.values())
    for src, dst, cents in plan:
        if src not in left or dst not in left or src == dst or cents <= 0:
            return 0.0
        left[src] += cents
        left[dst] -= cents
    if any(left.values()):
        return 0.0
    return 1.0 if len(plan) == fewest else 0.5
