"""Games against each opponent, with either side beginning. The splits have different seeds."""

from itertools import product

SETTINGS = list(product(("random", "greedy"), ("player", "opponent")))


def games(split: str, seeds: range) -> list[dict]:
    """Return one game per seed. The games use the settings in turn."""
    tasks = []
    for number, seed in enumerate(seeds):
        opponent, first = SETTINGS[number % len(SETTINGS)]
        tasks.append(
            {"id": f"{split}-{number:02}", "seed": seed, "opponent": opponent, "first": first}
        )
    return tasks


TASKS = {"train": games("train", range(40)), "test": games("test", range(1000, 1020))}
