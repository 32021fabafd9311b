"""Names the last word of the list that begins as asked."""

from .world import WORDS


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    return [("name_word", {"word": [w for w in WORDS if w.startswith(task["start"])][-1]})]
