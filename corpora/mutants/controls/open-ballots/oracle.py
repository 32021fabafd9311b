"""Counts."""

from .world import dropped


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    order = dropped(task["ballots"])
    return [("declare", {"winner": order[-1], "first_out": order[0]})]
