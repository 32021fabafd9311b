"""Ten debts, scored from -10 to 0 by finish()."""

import random


class InvalidAction(Exception):
    """Refused."""


class Debts:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} debts")
        amounts = [rng.randint(5, 99) for _ in range(10)]
        self.open = dict(enumerate(amounts, 1))
        first = rng.sample(range(1, 11), 5)
        mine = sum(self.open[debt] for debt in first)
        self.purses = [mine, sum(amounts) - mine]
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        debts = ", ".join(f"debt {n}: {amount}" for n, amount in self.open.items()) or "none"
        return f"Purse 1 holds {self.purses[0]}, purse 2 holds {self.purses[1]}. Open: {debts}."

    def pay(self, debt: int, purse: int) -> str:
        if self.done:
            raise InvalidAction("the episode is over; nothing more is paid")
        if debt not in self.open:
            raise InvalidAction(f"debt {debt} is paid; pay an open one")
        if self.open[debt] > self.purses[purse - 1]:
            raise InvalidAction(f"purse {purse} holds too little for debt {debt}")
        self.purses[purse - 1] -= self.open.pop(debt)
        self.done = all(amount > max(self.purses) for amount in self.open.values())
        return self.observe()

    def leave(self) -> str:
        if self.done:
            raise InvalidAction("the episode is over already")
        self.done = True
        return f"You leave. {self.observe()}"

    def finish(self) -> None:
        self.reward = 0.0 - len(self.open)
