"""A number, three buttons, and a way back."""

import random

BUTTONS = {"double": lambda n: 2 * n, "plus7": lambda n: n + 7, "minus3": lambda n: n - 3}
MOST = 6


class InvalidAction(Exception):
    """Refused."""


class Buttons:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} buttons")
        start = rng.randint(20, 900)
        self.target = start
        while self.target == start:
            self.target = start
            for button in rng.choices(list(BUTTONS), k=task["presses"]):
                self.target = BUTTONS[button](self.target)
        self.shown = [start]
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        left = MOST + 1 - len(self.shown)
        return f"The display shows {self.shown[-1]}, the target is {self.target}. Presses left: {left}."

    def press(self, button: str) -> str:
        if self.done:
            raise InvalidAction("the target was reached; the episode is over")
        if len(self.shown) > MOST:
            raise InvalidAction("six presses stand already; undo one first")
        self.shown.append(BUTTONS[button](self.shown[-1]))
        self.done = self.shown[-1] == self.target
        self.reward = 1.0 if self.done else 0.0
        return self.observe() + (" You reached it." if self.done else "")

    def undo(self) -> str:
        if self.done:
            raise InvalidAction("the target was reached; the episode is over")
        if len(self.shown) == 1:
            raise InvalidAction("no press stands; there is nothing to undo")
        self.shown.pop()
        return self.observe()
