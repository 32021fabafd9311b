"""Watches twice: three lamps tell the step and its growth."""

import re

from .world import LAMPS, Light


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world = Light(task, seed)
    a, b, c = (
        int(re.search(r"[Ll]amp (\d+) is lit", text)[1])
        for text in (world.observe(), world.watch(), world.watch())
    )
    following = c + (c - b) + (c - b) - (b - a)
    return [("watch", {}), ("watch", {}), ("name_lamp", {"lamp": following % LAMPS})]
