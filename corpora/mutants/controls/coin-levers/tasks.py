"""Machines by split: more levers, and fewer pulls for each, are harder."""

# (levers, pulls)
LEVELS = ((6, 24), (8, 28), (10, 30))


def machines(split: str, seeds: range) -> list[dict]:
    """One machine per seed, going round the levels."""
    tasks = []
    for number, seed in enumerate(seeds):
        levers, pulls = LEVELS[number % len(LEVELS)]
        tasks.append({"id": f"{split}-{number:03}", "seed": seed, "levers": levers, "pulls": pulls})
    return tasks


TASKS = {"train": machines("train", range(60)), "test": machines("test", range(3000, 3015))}
