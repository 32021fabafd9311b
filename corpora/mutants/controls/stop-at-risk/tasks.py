TASKS = {
    "train": [{"id": f"train-{n}", "seed": n} for n in range(60)],
    "test": [{"id": f"test-{n}", "seed": 1000 + n} for n in range(20)],
}
