"""Goes up by half a step until the seller's last word, and accepts: no secret is read."""

import re

from .world import FleaHaggle


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world, calls = FleaHaggle(task, seed), []
    base, step = (int(number) for number in re.findall(r"is ([0-9]+)", world.observe())[-2:])
    price, said = base, ""
    while "last word" not in said:
        price += step // 2
        calls.append(("offer", {"price": price}))
        said = world.offer(price)
    return [*calls, ("accept", {})]
