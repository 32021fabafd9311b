"""Targets and moves: chance makes the first often, the last hardly ever."""

LEVELS = ((32, 34), (64, 42), (128, 82))


def boards(split: str, seeds: range) -> list[dict]:
    tasks = []
    for number, seed in enumerate(seeds):
        target, moves = LEVELS[number % len(LEVELS)]
        tasks.append({"id": f"{split}-{number:02}", "seed": seed, "target": target, "moves": moves})
    return tasks


TASKS = {"train": boards("train", range(24)), "test": boards("test", range(1000, 1012))}
