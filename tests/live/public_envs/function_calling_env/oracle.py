"""Makes the calls of the task."""


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """One message with all calls."""
    return [("message", {"text": "" if task["calls"] else "NONE", "calls": task["calls"]})]
