"""Twelve owners for training, and four other owners for testing. Every fourth thing is not in the store."""


def owners(split: str, first: int, count: int) -> list[dict]:
    """Return owners with consecutive seeds from a first seed."""
    return [{"id": f"{split}-{i}", "seed": first + i, "here": i % 4 != 2} for i in range(count)]


TASKS = {"train": owners("train", 0, 12), "test": owners("test", 100, 4)}
