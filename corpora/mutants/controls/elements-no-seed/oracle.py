"""Knows the name."""


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    return [("submit", {"name": task["name"].capitalize()})]
