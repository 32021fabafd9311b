"""Five cards, of which some are bad."""

import random


class InvalidAction(Exception):
    """Not allowed."""


class Cards:
    def __init__(self, task, seed):
        rng = random.Random(seed)
        self.bad = rng.choice([0, 1, 2])
        self._cards = [True] * (5 - self.bad) + [False] * self.bad
        rng.shuffle(self._cards)
        self.reward, self.done, self.turned = 0.0, False, 0

    def observe(self):
        return f"Five cards, {self.bad} of them bad."

    def turn(self):
        if self.done:
            raise InvalidAction("the game is over")
        good = self._cards[self.turned]
        self.turned += 1
        self.reward = self.reward + 0.3 if good else -1.0
        self.done = not good or self.turned == 5
        return "A good card." if good else "A bad card. The game is over."
