"""An oracle that asks for all balances, and then moves money from rich accounts to poor accounts."""

from .world import amounts


def solve(task, seed):
    calls = [("balance", {"account": name}) for name in "ABCD"]
    left = amounts(seed)
    mean = sum(left.values()) // 4
    while any(value != mean for value in left.values()):
        rich, poor = max(left, key=left.get), min(left, key=left.get)
        amount = min(left[rich] - mean, mean - left[poor])
        left[rich] -= amount
        left[poor] += amount
        calls.append(("transfer", {"source": rich, "target": poor, "amount": amount}))
    return [*calls, ("settle", {})]
