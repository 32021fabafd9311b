"""Begins as low as it may, goes just below where they would meet, and then pays what he asks, or where they meet."""

import re

from .world import Bazaar


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world = Bazaar(task, seed)
    top = int(re.search(r"asks (\d+)", world.observe())[1])
    low = (top + 1) // 2
    meet = next(p for p in range(low, top + 1) if p >= top - (p - low) // 2)
    world.offer(low)
    ask = int(re.search(r"asks (\d+)", world.offer(meet - 1))[1])
    price = ask if ask > top - (meet - 1 - low) // 2 else meet
    return [("offer", {"price": p}) for p in (low, meet - 1, price)]
