"""Cellars by split. More barrels, and more spoiled ones among them, are harder."""

# (barrels, spoiled, free tastings): a player who halves what is left needs no more than the free ones
LEVELS = ((20, 2, 10), (32, 2, 10), (24, 3, 15), (40, 3, 18))


def cellars(split: str, seeds: range) -> list[dict]:
    """One cellar per seed, going round the levels."""
    tasks = []
    for number, seed in enumerate(seeds):
        barrels, spoiled, free = LEVELS[number % len(LEVELS)]
        tasks.append(
            {
                "id": f"{split}-{number:03}",
                "seed": seed,
                "barrels": barrels,
                "spoiled": spoiled,
                "free": free,
            }
        )
    return tasks


TASKS = {"train": cellars("train", range(80)), "test": cellars("test", range(2000, 2020))}
