"""Tasks with one seed each. The seed determines the position of the square."""

TASKS = {
    "train": [{"id": f"train-{seed}", "seed": seed} for seed in range(20)],
    "test": [{"id": f"test-{seed}", "seed": seed} for seed in range(1000, 1005)],
}
