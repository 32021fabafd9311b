"""Reads the numbers from what is shown."""

import re

from .world import Relay


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world, calls = Relay(task, seed), []
    while not world.done:
        total = sum(int(n) for n in re.findall(r"\((-?\d+)\)", world.observe()))
        calls.append(("answer", {"total": total}))
        world.answer(total)
    return calls
