"""Names the letter beside the answer."""

from .world import Choice


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    options = Choice(task, seed).options
    return [("choose", {"option": "ABCDE"[options.index(task["answer"])]})]
