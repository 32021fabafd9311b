"""A question per task: a day, or a difference of two."""


def questions(split: str, count: int, first: int) -> list[dict]:
    kinds = ("most", "least", "difference")
    return [
        {"id": f"{split}-{n}", "seed": first + n, "kind": kinds[n % 3]} for n in range(count)
    ]


TASKS = {"train": questions("train", 24, 0), "test": questions("test", 12, 900)}
