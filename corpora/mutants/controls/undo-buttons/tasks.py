"""Targets four to six presses away (by the way they were made)."""


def displays(split: str, seeds: range) -> list[dict]:
    return [{"id": f"{split}-{n}", "seed": s, "presses": 4 + n % 3} for n, s in enumerate(seeds)]


TASKS = {"train": displays("train", range(24)), "test": displays("test", range(350, 362))}
