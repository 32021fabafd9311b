"""2,000 tasks in train."""

TASKS = {
    "train": [{"id": f"train-{n:04}", "seed": n} for n in range(2000)],
    "test": [{"id": f"test-{n:04}", "seed": 1_000_000 + n} for n in range(200)],
}
