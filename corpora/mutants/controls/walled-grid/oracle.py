"""The shortest way."""

from .world import Walk, ways


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world = Walk(task, seed)
    return [("walk", {"direction": step}) for step in ways(world.free, world.at)[world.goal]]
