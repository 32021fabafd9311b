"""The round that uses the least fuel."""

from .world import Round, shortest


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world = Round(task, seed)
    return shortest(world.streets, world.at, world.parcels)
