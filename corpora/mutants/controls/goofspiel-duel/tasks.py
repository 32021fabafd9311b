"""Four habits in turn."""


def duels(split: str, seeds: range) -> list[dict]:
    return [{"id": f"{split}-{n}", "seed": s, "habit": n % 4} for n, s in enumerate(seeds)]


TASKS = {"train": duels("train", range(24)), "test": duels("test", range(300, 312))}
