"""Searches a whole path from what the map shows."""

from .world import Path, near


def search(floor: frozenset, trail: list) -> list[str] | None:
    if len(trail) == len(floor):
        return []
    for name, place in near(trail[-1]).items():
        if place in floor and place not in trail:
            rest = search(floor, [*trail, place])
            if rest is not None:
                return [name, *rest]
    return None


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world = Path(task, seed)
    way = search(world.floor, world.trail)
    if way is None:
        raise LookupError(f"no path for task {task['id']}")
    return [("move", {"direction": name}) for name in way]
