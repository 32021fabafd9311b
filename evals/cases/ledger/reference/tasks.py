"""Amounts whose sum can be shared by four."""

import random


def amounts(seed: int) -> dict[str, int]:
    """Four different amounts with a whole mean."""
    rng = random.Random(f"ledger {seed}")
    while True:
        found = rng.sample(range(10, 200), 4)
        if sum(found) % 4 == 0:
            return dict(zip("ABCD", found, strict=True))


def split(name: str, seeds: range) -> list[dict]:
    return [{"id": f"{name}-{seed}", "seed": seed, "amounts": amounts(seed)} for seed in seeds]


TASKS = {"train": split("train", range(10)), "test": split("test", range(100, 104))}
