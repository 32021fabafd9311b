"""Four measures each; later levels divide, add up and take temperatures."""

LEVELS = (
    ["there", "there", "there", "there"],
    ["there", "back", "there", "back"],
    ["heat", "back", "pair", "there"],
    ["pair", "heat", "back", "pair"],
)


def sheets(split: str, seeds: range) -> list[dict]:
    return [
        {"id": f"{split}-{number:02}", "seed": seed, "kinds": LEVELS[number % len(LEVELS)]}
        for number, seed in enumerate(seeds)
    ]


TASKS = {"train": sheets("train", range(20)), "test": sheets("test", range(560, 572))}
