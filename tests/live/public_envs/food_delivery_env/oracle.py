"""Finds for each round who carries what, by trying all couriers of a zone."""

from .city import COURIERS, ROUNDS, FoodDelivery


def placed(
    world: FoodDelivery, orders: list[tuple[str, str, int]], left: dict
) -> list[dict] | None:
    """A courier for each order, or None if the rest does not fit."""
    if not orders:
        return []
    (order, zone, size), *rest = orders
    for courier in COURIERS:
        if world.zone_of[courier] == zone and left[courier] >= size:
            found = placed(world, rest, {**left, courier: left[courier] - size})
            if found is not None:
                return [{"order": order, "courier": courier}, *found]
    return None


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """One call for each round."""
    world, calls = FoodDelivery(task, seed), []
    for _ in range(ROUNDS):
        orders = [(order, *about) for order, about in world.rounds[world.at].items()]
        plan = placed(world, sorted(orders, key=lambda each: -each[2]), dict(world.capacity))
        asked = {"assignments": plan, "prices": world.prices()}
        calls.append(("dispatch", asked))
        world.dispatch(**asked, pause=[])
    return calls
