"""Twenty numbers to train on, five others to test on."""

import random

NUMBERS = random.Random(7).sample(range(1, 101), 25)
TASKS = {
    "train": [{"id": f"train-{i}", "seed": i, "secret": n} for i, n in enumerate(NUMBERS[:20])],
    "test": [{"id": f"test-{i}", "seed": i, "secret": n} for i, n in enumerate(NUMBERS[20:])],
}
