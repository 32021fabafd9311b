"""Maps of five to nine countries; the smallest or the second smallest is asked for."""

LEVELS = ((5, 1), (7, 1), (7, 2), (9, 2))


def maps(split: str, seeds: range) -> list[dict]:
    tasks = []
    for number, seed in enumerate(seeds):
        countries, rank = LEVELS[number % len(LEVELS)]
        tasks.append({"id": f"{split}-{number:02}", "seed": seed, "countries": countries, "rank": rank})
    return tasks


TASKS = {"train": maps("train", range(20)), "test": maps("test", range(3000, 3012))}
