"""Pictures with more shapes, more alike spots, and spots off the middle."""

LEVELS = (
    {"shapes": 7, "dotted": [2, 3], "others": ["none", "cross"], "off": 0},
    {"shapes": 11, "dotted": [3, 4], "others": ["none", "cross", "ring"], "off": 2},
    {"shapes": 15, "dotted": [4, 6], "others": ["cross", "ring", "ring"], "off": 4},
)


def pictures(split: str, seeds: range) -> list[dict]:
    return [
        {"id": f"{split}-{number:02}", "seed": seed, **LEVELS[number % len(LEVELS)]}
        for number, seed in enumerate(seeds)
    ]


TASKS = {"train": pictures("train", range(18)), "test": pictures("test", range(640, 652))}
