"""Duels in which you or the opponent lead the first trick."""


def duels(split: str, seeds: range) -> list[dict]:
    return [
        {"id": f"{split}-{n}", "seed": s, "lead": ("you", "opponent")[n % 2]}
        for n, s in enumerate(seeds)
    ]


TASKS = {"train": duels("train", range(24)), "test": duels("test", range(800, 812))}
