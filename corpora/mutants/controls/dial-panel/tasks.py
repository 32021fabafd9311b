"""Panels by split: more dials in the question and turned faces are harder."""

# (question, turned)
LEVELS = (("one", False), ("gap", False), ("one", True), ("sum", False), ("gap", True), ("sum", True))


def panels(split: str, seeds: range) -> list[dict]:
    """One panel per seed, going round the levels."""
    tasks = []
    for number, seed in enumerate(seeds):
        question, turned = LEVELS[number % len(LEVELS)]
        tasks.append(
            {"id": f"{split}-{number:03}", "seed": seed, "question": question, "turned": turned}
        )
    return tasks


TASKS = {"train": panels("train", range(60)), "test": panels("test", range(1000, 1018))}
