"""One stack per seed."""

TASKS = {
    "train": [{"id": f"train-{n}", "seed": n} for n in range(18)],
    "test": [{"id": f"test-{n}", "seed": 110 + n} for n in range(9)],
}
