"""Fills shift by shift, and goes back where nobody is left."""

from .world import SHIFTS, Rota, rested


def fill(world: Rota, rota: dict[str, str]) -> dict[str, str] | None:
    if len(rota) == len(SHIFTS):
        return rota
    place = len(rota)
    for name in world.crew:
        if SHIFTS[place][:3] in world.off[name] or not rested(rota, place, name):
            continue
        if list(rota.values()).count(name) < world.limit[name]:
            if found := fill(world, {**rota, SHIFTS[place]: name}):
                return found
    return None


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    found = fill(Rota(task, seed), {})
    calls = [("assign", {"shift": shift, "name": name}) for shift, name in found.items()]
    return [*calls, ("hand_in", {})]
