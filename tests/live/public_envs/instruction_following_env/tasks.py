"""Topics with two or three instructions that do not contradict each other, by split."""

import random

TOPICS = {
    "train": ["rivers", "bread", "trains", "owls", "chess", "rain", "maps", "bees"],
    "test": ["lakes", "cheese", "ships", "foxes", "music", "snow"],
}
SHAPES = [("sentences", 4), ("sentences", 6), ("paragraphs", 2), ("paragraphs", 3), ("words", 40)]
STYLES = [("no_comma", 0), ("lower", 0), ("avoid", "and"), ("avoid", "very"), ("avoid", "they")]
MARKS = [("begin", "once"), ("begin", "today"), ("end", "that is all."), ("mention", "old")]


def task(split: str, number: int) -> dict:
    """One task: a shape, a style, and a mark in every second."""
    rng = random.Random(f"{split}/{number}")
    topics = TOPICS[split]
    shapes = [SHAPES[number // len(topics) % len(SHAPES)]]  # with each topic another shape
    asked = [*shapes, rng.choice(STYLES)]
    asked += [rng.choice(MARKS)] if number % 2 else []
    return {
        "id": f"{split}-{number:02}",
        "seed": number,
        "topic": topics[number % len(topics)],
        "instructions": [list(each) for each in asked],
    }


TASKS = {
    "train": [task("train", n) for n in range(24)],
    "test": [task("test", n) for n in range(12)],
}
