"""Maps by split: more regions and more borders leave fewer colourings."""

# (regions, borders)
LEVELS = ((6, 9), (9, 17), (13, 28))


def maps(split: str, seeds: range) -> list[dict]:
    """One map per seed, going round the levels."""
    tasks = []
    for number, seed in enumerate(seeds):
        regions, borders = LEVELS[number % len(LEVELS)]
        tasks.append(
            {"id": f"{split}-{number:03}", "seed": seed, "regions": regions, "borders": borders}
        )
    return tasks


TASKS = {"train": maps("train", range(60)), "test": maps("test", range(7000, 7018))}
