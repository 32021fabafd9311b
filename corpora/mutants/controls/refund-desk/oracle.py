"""Reads the policy, and decides by it."""

from .world import Desk


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    right = Desk(task, seed).right
    return [("read_policy", {}), *((what, {"order": order}) for order, what in right.items())]
