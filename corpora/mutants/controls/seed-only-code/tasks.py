"""Only an id and a seed each."""

TASKS = {
    "train": [{"id": f"train-{seed}", "seed": seed} for seed in range(24)],
    "test": [{"id": f"test-{seed}", "seed": seed} for seed in range(9000, 9012)],
}
