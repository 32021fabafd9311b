"""Pipes of twelve, fourteen or sixteen segments."""


def pipes(split: str, seeds: range) -> list[dict]:
    return [
        {"id": f"{split}-{n}", "seed": s, "segments": (12, 14, 16)[n % 3]}
        for n, s in enumerate(seeds)
    ]


TASKS = {"train": pipes("train", range(30)), "test": pipes("test", range(2000, 2012))}
