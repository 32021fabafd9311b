"""Plays the calls of the task's solution."""


def solve(task: dict, seed: int) -> list:
    """Return the calls that lead to the wanted graph, and the message that ends the conversation."""
    return [*map(tuple, task["solution"]), {"message": "Done."}]
