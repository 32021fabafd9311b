"""Games to play: each opponent, each side to begin, over disjoint seeds."""

from itertools import product

SETTINGS = list(product(("random", "greedy"), ("player", "opponent")))


def games(split: str, seeds: range) -> list[dict]:
    """One game per seed, going round the settings."""
    tasks = []
    for number, seed in enumerate(seeds):
        opponent, first = SETTINGS[number % len(SETTINGS)]
        tasks.append(
            {"id": f"{split}-{number:02}", "seed": seed, "opponent": opponent, "first": first}
        )
    return tasks


TASKS = {"train": games("train", range(40)), "test": games("test", range(1000, 1020))}
