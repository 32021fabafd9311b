"""More quarrels leave fewer plans."""

QUARRELS = (8, 11, 14)


def evenings(split: str, seeds: range) -> list[dict]:
    return [
        {"id": f"{split}-{n}", "seed": seed, "quarrels": QUARRELS[n % 3]}
        for n, seed in enumerate(seeds)
    ]


TASKS = {"train": evenings("train", range(24)), "test": evenings("test", range(900, 912))}
