"""Places each card by its rank among the cards that were told."""

import re

from .world import DrawAndPlace


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world, calls = DrawAndPlace(task, seed), []
    cards = [int(n) for n in re.findall(r"\d+", world.observe())]
    while not world.done:
        card = int(re.findall(r"\d+", world.draw())[0])
        slot = cards.index(card) + 1
        world.place(slot)
        calls += [("draw", {}), ("place", {"slot": slot})]
    return calls
