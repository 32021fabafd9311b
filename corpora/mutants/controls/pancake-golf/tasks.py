"""One stack per seed."""

TASKS = {
    "train": [{"id": f"train-{n}", "seed": n} for n in range(24)],
    "test": [{"id": f"test-{n}", "seed": 7000 + n} for n in range(12)],
}
