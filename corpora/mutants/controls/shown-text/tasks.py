"""Pages of two to four paragraphs with two to four pieces each."""

LEVELS = ((2, 2), (3, 3), (4, 4))


def sources(split: str, seeds: range) -> list[dict]:
    tasks = []
    for number, seed in enumerate(seeds):
        paragraphs, pieces = LEVELS[number % len(LEVELS)]
        tasks.append({"id": f"{split}-{number:02}", "seed": seed, "paragraphs": paragraphs, "pieces": pieces})
    return tasks


TASKS = {"train": sources("train", range(24)), "test": sources("test", range(300, 312))}
