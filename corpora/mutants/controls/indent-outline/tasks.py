"""Outlines of five to fourteen departments, two to four levels deep."""

LEVELS = ((5, 2), (9, 3), (14, 4))


def outlines(split: str, seeds: range) -> list[dict]:
    tasks = []
    for number, seed in enumerate(seeds):
        departments, depth = LEVELS[number % len(LEVELS)]
        tasks.append({"id": f"{split}-{number:02}", "seed": seed, "departments": departments, "depth": depth})
    return tasks


TASKS = {"train": outlines("train", range(24)), "test": outlines("test", range(7100, 7112))}
