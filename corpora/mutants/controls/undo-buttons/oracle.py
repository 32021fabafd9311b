"""Tries all series of presses, short ones first, after one press that it takes back."""

from itertools import product

from .world import BUTTONS, MOST, Buttons


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world = Buttons(task, seed)
    for length in range(1, MOST + 1):
        for series in product(BUTTONS, repeat=length):
            number = world.shown[0]
            for button in series:
                number = BUTTONS[button](number)
            if number == world.target:
                calls = [("press", {"button": button}) for button in series]
                away = [] if length == 1 else [calls[0], ("undo", {})]
                return [*away, *calls]
    raise LookupError(f"no way for task {task['id']}")
