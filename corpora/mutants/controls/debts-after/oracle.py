"""Tries which debts fill the first purse."""

from itertools import product

from .world import Debts


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world = Debts(task, seed)
    for purses in product((1, 2), repeat=10):
        if sum(a for a, p in zip(world.open.values(), purses) if p == 1) == world.purses[0]:
            return [("pay", {"debt": n, "purse": p}) for n, p in enumerate(purses, 1)]
    raise LookupError(f"no way for task {task['id']}")
