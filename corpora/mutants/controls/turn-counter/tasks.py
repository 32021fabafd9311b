"""Small and large growth."""


def lights(split: str, seeds: range) -> list[dict]:
    return [
        {"id": f"{split}-{n}", "seed": s, "growth": (20, 300)[n % 2]} for n, s in enumerate(seeds)
    ]


TASKS = {"train": lights("train", range(24)), "test": lights("test", range(370, 382))}
