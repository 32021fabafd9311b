"""One book per seed."""

TASKS = {
    "train": [{"id": f"train-{n}", "seed": n} for n in range(16)],
    "test": [{"id": f"test-{n}", "seed": 800 + n} for n in range(8)],
}
