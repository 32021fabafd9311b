"""One dial per seed."""

TASKS = {
    "train": [{"id": f"train-{n}", "seed": n} for n in range(24)],
    "test": [{"id": f"test-{n}", "seed": 60 + n} for n in range(12)],
}
