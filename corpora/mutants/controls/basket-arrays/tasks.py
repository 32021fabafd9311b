"""Growing prices."""


def shops(split: str, seeds: range) -> list[dict]:
    return [
        {"id": f"{split}-{n}", "seed": seed, "dearest": (40, 70, 99)[n % 3]}
        for n, seed in enumerate(seeds)
    ]


TASKS = {"train": shops("train", range(24)), "test": shops("test", range(200, 212))}
