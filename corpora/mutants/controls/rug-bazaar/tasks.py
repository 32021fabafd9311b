"""Sellers who hear three to five offers."""


def rugs(split: str, seeds: range) -> list[dict]:
    return [{"id": f"{split}-{n}", "seed": s, "offers": 3 + n % 3} for n, s in enumerate(seeds)]


TASKS = {"train": rugs("train", range(24)), "test": rugs("test", range(700, 712))}
