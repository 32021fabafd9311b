"""Talks by split: the lower the rounds, the less time to ask; a lower floor leaves more to win."""

# (rounds, floor)
LEVELS = ((7, 20), (5, 24), (4, 29))


def talks(split: str, seeds: range) -> list[dict]:
    """One talk per seed, going round the levels."""
    tasks = []
    for number, seed in enumerate(seeds):
        rounds, floor = LEVELS[number % len(LEVELS)]
        tasks.append({"id": f"{split}-{number:03}", "seed": seed, "rounds": rounds, "floor": floor})
    return tasks


TASKS = {
    "train": talks("train", range(60)),
    "validation": talks("validation", range(5000, 5012)),
    "test": talks("test", range(9000, 9024)),
}
