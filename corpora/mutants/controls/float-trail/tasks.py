"""Three to seven points."""


def trails(split: str, seeds: range) -> list[dict]:
    return [
        {"id": f"{split}-{n}", "seed": s, "points": 3 + 2 * (n % 3)} for n, s in enumerate(seeds)
    ]


TASKS = {"train": trails("train", range(24)), "test": trails("test", range(130, 142))}
