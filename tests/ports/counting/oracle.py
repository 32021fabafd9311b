"""Adds threes, and then what is left."""

import random


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """The calls that reach the number."""
    target = task["least"] + random.Random(seed).randint(0, 3)
    steps = [3] * (target // 3) + ([target % 3] if target % 3 else [])
    return [("add", {"number": step}) for step in steps]
