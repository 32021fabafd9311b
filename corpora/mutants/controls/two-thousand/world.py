"""Six steps of arithmetic."""

import random


class InvalidAction(Exception):
    """Refused."""


class Chain:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} chain")
        self._value = rng.randint(10, 99)
        words = [f"Start with {self._value}"]
        for _ in range(6):
            verb, number = rng.choice(("add", "subtract", "multiply by")), rng.randint(2, 12)
            words.append(f"{verb} {number}")
            if verb == "add":
                self._value += number
            elif verb == "subtract":
                self._value -= number
            else:
                self._value *= number
        self._text = ", ".join(words) + "."
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return self._text

    def answer(self, result: int) -> str:
        if self.done:
            raise InvalidAction("the result was given; the episode is over")
        self.done = True
        self.reward = 1.0 if result == self._value else 0.0
        return "Right." if self.reward else "Wrong."
