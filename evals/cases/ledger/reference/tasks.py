"""Tasks with one seed per ledger. The seed determines the amounts."""

TASKS = {
    "train": [{"id": f"train-{seed}", "seed": seed} for seed in range(10)],
    "test": [{"id": f"test-{seed}", "seed": seed} for seed in range(100, 104)],
}
