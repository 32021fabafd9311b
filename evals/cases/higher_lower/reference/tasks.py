"""Twenty numbers for training, and five other numbers for testing."""

import random

NUMBERS = random.Random(7).sample(range(1, 101), 25)
TASKS = {
    "train": [{"id": f"train-{i}", "seed": i, "secret": n} for i, n in enumerate(NUMBERS[:20])],
    "test": [{"id": f"test-{i}", "seed": i, "secret": n} for i, n in enumerate(NUMBERS[20:])],
}
