"""A start for each task."""

STARTS = ["gra", "sta", "cra", "cre", "pla", "fla", "sha", "bra", "tra"]


def starts(split: str, some: list[str]) -> list[dict]:
    return [{"id": f"{split}-{n}", "start": start} for n, start in enumerate(some)]


TASKS = {"train": starts("train", STARTS[:6]), "test": starts("test", STARTS[6:])}
