"""Spreads the pulls in the best way, by hindsight: what each pull pays was fixed at the start.

An honest player tries the levers first and earns about 0.6 of it.
"""

from .levers import CoinLevers, most_coins


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """The pulls that earn the most coins, lever after lever."""
    world = CoinLevers(task, seed)
    table, left = world._table, world.pulls
    calls: list[tuple[str, dict]] = []
    for number in range(len(table), 0, -1):
        rest = table[: number - 1]
        here = table[number - 1]
        count = left if not rest else max(
            range(left + 1),
            key=lambda n: sum(here[:n]) + most_coins(rest, left - n),
        )
        calls += [("pull", {"lever": number})] * count
        left -= count
    return calls
