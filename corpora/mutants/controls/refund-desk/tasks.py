"""Houses with other policies, and orders of their own."""

LIMITS = (20, 30, 45)


def desks(split: str, seeds: range) -> list[dict]:
    return [
        {"id": f"{split}-{n}", "seed": seed, "limit": LIMITS[n % 3]} for n, seed in enumerate(seeds)
    ]


TASKS = {"train": desks("train", range(24)), "test": desks("test", range(900, 912))}
