"""A seed per ledger, of which the amounts come."""

TASKS = {
    "train": [{"id": f"train-{seed}", "seed": seed} for seed in range(10)],
    "test": [{"id": f"test-{seed}", "seed": seed} for seed in range(100, 104)],
}
