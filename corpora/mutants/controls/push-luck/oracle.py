"""Knows where the first skull lies: the best that luck can bring."""

from .world import Luck


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    return [("turn_card", {})] * Luck(task, seed)._safe + [("stop", {})]
