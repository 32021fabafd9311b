"""Hands as they are dealt, those that nobody wins among them."""


def hands(split: str, seeds: range) -> list[dict]:
    return [{"id": f"{split}-{number:03}", "seed": seed} for number, seed in enumerate(seeds)]


TASKS = {"train": hands("train", range(120)), "test": hands("test", range(5000, 5040))}
