"""Words of four to eight letters, by split."""

TASKS = {
    "train": [{"id": f"train-{n:02}", "seed": n, "pairs": 2 + n % 3} for n in range(24)],
    "test": [{"id": f"test-{n:02}", "seed": 1000 + n, "pairs": 2 + n % 3} for n in range(12)],
}
