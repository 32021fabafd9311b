"""Full purses and thin ones; now and then one that is not enough."""

LEVELS = (
    {"room": [30, 70], "offers": 8},
    {"room": [10, 40], "offers": 6},
    {"room": [40, 90], "offers": 7},
    {"room": [-30, -5], "offers": 6},
)


def sales(split: str, seeds: range) -> list[dict]:
    return [
        {"id": f"{split}-{number:02}", "seed": seed, **LEVELS[number % len(LEVELS)]}
        for number, seed in enumerate(seeds)
    ]


TASKS = {"train": sales("train", range(40)), "test": sales("test", range(700, 716))}
