"""Nights by split: a larger museum and more guards are harder."""

# (size, guards)
LEVELS = ((5, 1), (6, 2), (7, 3))


def nights(split: str, seeds: range) -> list[dict]:
    """One night per seed, going round the levels."""
    tasks = []
    for number, seed in enumerate(seeds):
        size, guards = LEVELS[number % len(LEVELS)]
        tasks.append({"id": f"{split}-{number:03}", "seed": seed, "size": size, "guards": guards})
    return tasks


TASKS = {"train": nights("train", range(60)), "test": nights("test", range(6000, 6018))}
