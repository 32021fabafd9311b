"""Reach a number by adding 1 to 3; the original of tests about ports."""

import random


class InvalidAction(Exception):
    """The action is not possible now."""


class Counting:
    """One game."""

    def __init__(self, task: dict, seed: int) -> None:
        self.target = task["least"] + random.Random(seed).randint(0, 3)
        self.added: list[int] = []
        self.undone = 0
        self.reward, self.done = 0.0, False
        self.metrics = {"share": 0.0}

    def observe(self) -> str:
        return f"Reach {self.target}."

    def add(self, *, number: int) -> str:
        self.added.append(number)
        total = sum(self.added)
        self.metrics["share"] = min(1.0, round(total / self.target, 3))
        if total == self.target:
            self.reward += round(2 / (len(self.added) + self.undone), 2)
            self.done = True
            return f"Reached {self.target}."
        if total > self.target or len(self.added) + self.undone == 8:
            self.done = True
            return f"Lost at {total}."
        return f"{total} of {self.target}."

    def undo(self) -> str:
        if not self.added:
            raise InvalidAction("there is nothing to take back")
        self.undone += 1
        return f"Took back {self.added.pop()}."

    def history(self) -> list:
        return [{"added": self.added}, {"largest": sorted(self.added)[-1:]}]
