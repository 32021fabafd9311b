"""Chains of three, five and eight words."""

LENGTHS = (3, 5, 8)


def chains(split: str, seeds: range) -> list[dict]:
    return [
        {"id": f"{split}-{number:02}", "seed": seed, "words": LENGTHS[number % 3]}
        for number, seed in enumerate(seeds)
    ]


TASKS = {"train": chains("train", range(24)), "test": chains("test", range(6000, 6012))}
