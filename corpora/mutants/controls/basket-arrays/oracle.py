"""Tries three goods with all amounts."""

from itertools import combinations, product

from .world import NAMES, Basket


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world = Basket(task, seed)
    for goods in combinations(NAMES, 3):
        for amounts in product(range(1, 10), repeat=3):
            if sum(world.prices[g] * a for g, a in zip(goods, amounts)) == world.budget:
                return [("buy", {"goods": list(goods), "amounts": list(amounts)})]
    raise LookupError(f"no basket for task {task['id']}")
