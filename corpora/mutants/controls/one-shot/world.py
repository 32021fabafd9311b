"""One question, one answer."""

import random


class InvalidAction(Exception):
    """Refused."""


class OneShot:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} one shot")
        self.factors = [rng.randint(100, 999) for _ in range(task["factors"])]
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"What is the remainder of {' x '.join(map(str, self.factors))} divided by 9973?"

    def answer(self, remainder: int) -> str:
        if self.done:
            raise InvalidAction("the question was answered; the episode is over")
        product = 1
        for factor in self.factors:
            product *= factor
        self.done = True
        self.reward = 1.0 if product % 9973 == remainder else 0.0
        return "Right." if self.reward else "Wrong."
