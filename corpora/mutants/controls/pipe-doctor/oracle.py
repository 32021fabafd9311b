"""Halves the part that can leak until one segment is left."""

import re

from .world import Pipe


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world = Pipe(task, seed)
    start, loss = (float(n) for n in re.findall(r"([\d.]+) bar", world.observe()))
    low, high, calls = 1, world.segments, []
    while low < high:
        joint = (low + high) // 2
        calls.append(("probe", {"joint": joint}))
        read = float(re.search(r": ([\d.]+) bar", world.probe(joint))[1])
        low, high = (low, joint) if read < start - joint * loss - 0.5 else (joint + 1, high)
    return [*calls, ("replace", {"segment": low})]
