"""Goes up by the step until the last word, and buys if the purse is enough: no secret is read."""

import re

from .barn import BarnSale


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world, calls = BarnSale(task, seed), []
    said = world.observe()
    ask, purse, last, step, offers = (int(number) for number in re.findall(r"[0-9]+", said)[:5])
    while offers and "last word" not in said and last + step < ask and last + step <= purse:
        last += step
        calls.append(("offer", {"price": last}))
        said = world.offer(last)
        ask, offers = (int(number) for number in re.findall(r"[0-9]+", said))
    return [*calls, ("buy" if ask <= purse else "leave", {})]


def best(task: dict, seed: int) -> float:
    """What is left of the purse at the lowest price that the offers can reach."""
    world = BarnSale(task, seed)
    ask, last, purse = world.ask, world.last, world.purse
    for _ in range(world.offers):
        last += world.step
        if last >= ask or last > purse:
            break
        ask = max(world.lowest, ask - 2 * world.step)
    return max(0, purse - ask) / 100
