"""Questions by split and kind; "same" needs a sum over the colours, "least" one over the hits."""

KINDS = ("exactly", "least", "same")


def questions(split: str, seeds: range) -> list[dict]:
    """One question per seed, going round the kinds."""
    return [
        {"id": f"{split}-{number:03}", "seed": seed, "kind": KINDS[number % len(KINDS)]}
        for number, seed in enumerate(seeds)
    ]


TASKS = {"train": questions("train", range(120)), "test": questions("test", range(50000, 50030))}
