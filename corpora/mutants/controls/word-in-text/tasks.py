"""Each word is the answer of one task."""

from .world import WORDS


def texts(split: str, words: list[str], first: int) -> list[dict]:
    return [{"id": f"{split}-{n}", "seed": first + n, "word": word} for n, word in enumerate(words)]


TASKS = {"train": texts("train", WORDS[:24], 0), "test": texts("test", WORDS[24:], 100)}
