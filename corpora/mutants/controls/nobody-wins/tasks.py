"""Rows of small and of larger coins."""


def rows(split: str, seeds: list[int]) -> list[dict]:
    return [{"id": f"{split}-{n}", "seed": s, "most": (9, 6)[n % 2]} for n, s in enumerate(seeds)]


# Rows in which somebody who always takes from the same end does not get a draw.
TRAIN = [
    *(152000, 49001, 242002, 3, 64004, 121005, 28006, 39007, 29008, 229009, 145010, 30011),
    *(196012, 5013, 66014, 35015, 180016, 196017, 65018, 46019),
]
TEST = [170250, 49251, 55252, 30253, 28254, 25255, 273256, 110257, 216258, 80259]
TASKS = {"train": rows("train", TRAIN), "test": rows("test", TEST)}
