"""Halves the suspects until a spoiled barrel is found, then looks for the next among the rest.

It reads the answers only, and never needs more than the free tastings.
"""

from .cellar import BarrelTasting


def written(barrels: list[int]) -> str:
    """A list of barrels as the tools take it."""
    return ", ".join(map(str, barrels))


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """The tastings and the right answer."""
    world = BarrelTasting(task, seed)
    calls: list[tuple[str, dict]] = []
    suspects = list(range(1, world.barrels + 1))
    found: list[int] = []
    while len(found) < world.spoiled:
        some = list(suspects)  # at least one of these is spoiled
        while len(some) > 1:
            half = some[: len(some) // 2]
            calls.append(("taste", {"barrels": written(half)}))
            if "sour" in world.taste(written(half)):
                some = half
            else:
                some = some[len(half) :]
                suspects = [barrel for barrel in suspects if barrel not in half]
        found += some
        suspects = [barrel for barrel in suspects if barrel not in some]
    calls.append(("accuse", {"barrels": written(sorted(found))}))
    return calls
