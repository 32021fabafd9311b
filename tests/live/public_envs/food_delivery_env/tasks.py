"""The cities, by split."""

TASKS = {
    "train": [{"id": f"train-{n:02}", "seed": n, "orders": 3 + n % 4} for n in range(24)],
    "test": [{"id": f"test-{n:02}", "seed": 1000 + n, "orders": 3 + n % 4} for n in range(12)],
}
