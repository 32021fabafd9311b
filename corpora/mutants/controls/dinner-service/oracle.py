"""Buys exactly what the menu needs and prepares by Johnson's rule; all of it is on the first page."""

from .kitchen import GOODS, DinnerService


def johnson(minutes: dict[str, tuple[int, int]]) -> list[str]:
    """The order that ends first: short preparations first, short bakes last."""
    early = sorted((d for d, (a, b) in minutes.items() if a <= b), key=lambda d: minutes[d][0])
    late = sorted((d for d, (a, b) in minutes.items() if a > b), key=lambda d: -minutes[d][1])
    return early + late


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """The shopping, the way to the kitchen and the dishes in the best order."""
    world = DinnerService(task, seed)
    calls: list[tuple[str, dict]] = []
    for good in GOODS:
        units = sum(need.get(good, 0) for need in world.needs.values())
        if units:
            calls.append(("buy", {"good": good, "units": units}))
    calls.append(("start_cooking", {}))
    return calls + [("prepare", {"dish": dish}) for dish in johnson(world.minutes)]
