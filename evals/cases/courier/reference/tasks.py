"""Sixteen maps on which a walk that always goes to the nearest house takes few enough actions."""

import random


def maps(count: int) -> list[dict]:
    """Return different maps. Each map has a start and four houses."""
    rng, found = random.Random(11), []
    fields = [(x, y) for x in range(5) for y in range(5)]
    while len(found) < count:
        start, *houses = rng.sample(fields, 5)
        if walked(start, houses) <= 20:
            found.append({"start": list(start), "houses": [list(each) for each in houses]})
    return found


def walked(at: tuple[int, int], houses: list[tuple[int, int]]) -> int:
    """Return the number of steps in a walk that always goes to the nearest house."""
    left, total = list(houses), 0
    while left:
        nearest = min(left, key=lambda each: abs(each[0] - at[0]) + abs(each[1] - at[1]))
        total += abs(nearest[0] - at[0]) + abs(nearest[1] - at[1])
        left.remove(nearest)
        at = nearest
    return total


MAPS = maps(16)
TASKS = {
    "train": [{"id": f"train-{i}", "seed": i, **each} for i, each in enumerate(MAPS[:12])],
    "test": [{"id": f"test-{i}", "seed": i, **each} for i, each in enumerate(MAPS[12:])],
}
