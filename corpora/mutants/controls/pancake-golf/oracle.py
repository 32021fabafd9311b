"""Always flips to a stack that is nearer to the sorted one."""

from .world import FEWEST, SIZES, Pancakes, flipped


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    stack, calls = Pancakes(task, seed).stack, []
    while FEWEST[stack]:
        count = min(range(2, SIZES + 1), key=lambda c: FEWEST[flipped(stack, c)])
        stack = flipped(stack, count)
        calls.append(("flip", {"count": count}))
    return calls
