"""Halves the range with what compare says."""

from .world import MOST, Vault


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world = Vault(task, seed)
    low, high, calls = 1, MOST, []
    while low < high:
        middle = (low + high) // 2
        calls.append(("compare", {"number": middle}))
        answer = world.compare(middle)
        if "higher" in answer:
            low = middle + 1
        elif "lower" in answer:
            high = middle - 1
        else:
            low = high = middle
    return [*calls, ("open_vault", {"number": low})]
