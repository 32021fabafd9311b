"""Lists of two to four pages."""


def lists(split: str, seeds: range) -> list[dict]:
    return [
        {"id": f"{split}-{number:02}", "seed": seed, "pages": 2 + number % 3}
        for number, seed in enumerate(seeds)
    ]


TASKS = {"train": lists("train", range(21)), "test": lists("test", range(900, 909))}
