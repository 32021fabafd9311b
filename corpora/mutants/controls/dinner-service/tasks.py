"""Dinners by split: more dishes and less slack before closing time are harder."""

# (dishes, slack in minutes)
LEVELS = ((3, 4), (4, 2), (5, 0))


def dinners(split: str, seeds: range) -> list[dict]:
    """One dinner per seed, going round the levels."""
    tasks = []
    for number, seed in enumerate(seeds):
        dishes, slack = LEVELS[number % len(LEVELS)]
        tasks.append({"id": f"{split}-{number:03}", "seed": seed, "dishes": dishes, "slack": slack})
    return tasks


TASKS = {"train": dinners("train", range(60)), "test": dinners("test", range(4000, 4018))}
