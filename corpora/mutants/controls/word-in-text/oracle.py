"""Counts the words of the text."""

from collections import Counter

from .world import WordInText


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    text = WordInText(task, seed).observe()
    return [("name_word", {"word": Counter(text.split()).most_common(1)[0][0]})]
