"""Dearer things, fewer offers, narrower steps."""

LEVELS = (
    {"price": [60, 150], "offers": 9, "ease": 6},
    {"price": [150, 400], "offers": 8, "ease": 4},
    {"price": [400, 900], "offers": 6, "ease": 1},
)


def talks(split: str, seeds: range) -> list[dict]:
    return [
        {"id": f"{split}-{number:02}", "seed": seed, **LEVELS[number % len(LEVELS)]}
        for number, seed in enumerate(seeds)
    ]


TASKS = {"train": talks("train", range(24)), "test": talks("test", range(900, 912))}
