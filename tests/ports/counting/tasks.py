"""Tasks by split."""

TASKS = {
    "train": [{"id": f"train-{n}", "seed": n, "least": 3 + n % 4} for n in range(8)],
    "test": [{"id": f"test-{n}", "seed": 50 + n, "least": 4 + n % 3} for n in range(4)],
}
