"""Opponents that look in no direction, in rows, and in rows and columns."""

LOOKS = ("no direction", "rows only", "rows and columns")


def games(split: str, seeds: range) -> list[dict]:
    return [
        {"id": f"{split}-{number:02}", "seed": seed, "looks": LOOKS[number % 3]}
        for number, seed in enumerate(seeds)
    ]


TASKS = {"train": games("train", range(24)), "test": games("test", range(2000, 2012))}
