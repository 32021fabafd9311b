"""Reads the forecast and trades each day so that the best result stays within reach."""

from .world import MOST, OrchardMarket, best_from, gain


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world, calls = OrchardMarket(task, seed), [("forecast", {})]
    prices = tuple(int(part.split()[-1]) for part in world.forecast().rstrip(".").split(","))
    room, fee, storage = task["room"], task["fee"], task["storage"]
    crates = 0
    for day, price in enumerate(prices):
        rest = prices[day + 1 :]
        number = max(
            range(-min(MOST, crates), min(MOST, room - crates) + 1),
            key=lambda n: gain(price, n, crates, fee, storage) + best_from(rest, crates + n, room, fee, storage),
        )
        crates += number
        calls.append(("trade", {"crates": number}))
    return calls
