"""One task per answer, dealt into train, validation and test."""

from hashlib import sha256
from pathlib import Path

ANSWERS = (Path(__file__).parent / "answers.txt").read_text("ascii").split()


def deal(answers: list[str]) -> dict[str, list[dict]]:
    """About 80% of the answers for training and 10% for each other split, in a mixed-up order.

    A word's own hash decides its split and order, so editing the list never moves a word from
    test to train. Ids count within the split and say nothing about the word.
    """
    splits: dict[str, list[dict]] = {"train": [], "validation": [], "test": []}
    for digest, answer in sorted((sha256(answer.encode()).digest(), answer) for answer in answers):
        split = {0: "validation", 1: "test"}.get(digest[-1] % 10, "train")
        number = len(splits[split])
        splits[split].append({"id": f"{split}-{number:04}", "seed": number, "answer": answer})
    return splits


TASKS = deal(ANSWERS)
