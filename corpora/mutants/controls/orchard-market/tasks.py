"""Short seasons to train on; the test holds out longer ones with a higher fee and storage."""

TRAIN = ((4, 3, 0, 0), (5, 4, 1, 0), (6, 4, 0, 1), (7, 5, 1, 1))
TEST = ((9, 6, 2, 2), (12, 7, 3, 2), (14, 9, 2, 3))


def seasons(split: str, seeds: range, levels: tuple) -> list[dict]:
    tasks = []
    for number, seed in enumerate(seeds):
        days, room, fee, storage = levels[number % len(levels)]
        task = {"id": f"{split}-{number:02}", "seed": seed, "days": days}
        tasks.append(task | {"room": room, "fee": fee, "storage": storage})
    return tasks


TASKS = {"train": seasons("train", range(24), TRAIN), "test": seasons("test", range(800, 812), TEST)}
