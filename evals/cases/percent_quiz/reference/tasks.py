"""Twenty questions for training, and eight other questions for testing."""

import random
from decimal import Decimal


def questions(count: int) -> list[dict]:
    """Return different questions with their exact answers as decimal texts."""
    pairs = [(share, whole) for share in range(1, 100) for whole in range(20, 910, 10)]
    return [
        {
            "question": f"What is {share} percent of {whole}?",
            "answer": str(Decimal(share * whole) / 100),
        }
        for share, whole in random.Random(3).sample(pairs, count)
    ]


QUESTIONS = questions(28)
TASKS = {
    "train": [{"id": f"train-{i}", **each} for i, each in enumerate(QUESTIONS[:20])],
    "test": [{"id": f"test-{i}", **each} for i, each in enumerate(QUESTIONS[20:])],
}
