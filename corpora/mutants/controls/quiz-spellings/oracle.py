"""Gives the second form of the answer, in capital letters."""


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    return [("answer", {"text": task["accepted"][1].upper()})]
