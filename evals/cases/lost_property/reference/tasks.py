"""Twelve owners to train on, four others to test on; every fourth thing is not in the store."""


def owners(split: str, first: int, count: int) -> list[dict]:
    """Owners whose seeds begin with a number."""
    return [{"id": f"{split}-{i}", "seed": first + i, "here": i % 4 != 2} for i in range(count)]


TASKS = {"train": owners("train", 0, 12), "test": owners("test", 100, 4)}
