"""Spend a budget exactly."""

import random

NAMES = ("honey", "oil", "rice", "salt", "soap", "tea")


class InvalidAction(Exception):
    """Refused."""


class Basket:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} basket")
        self.prices = {name: rng.randint(11, task["dearest"]) for name in NAMES}
        chosen = rng.sample(NAMES, 3)
        self.budget = sum(self.prices[name] * rng.randint(1, 9) for name in chosen)
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        prices = ", ".join(f"{name} {price}" for name, price in self.prices.items())
        return f"Prices: {prices}. Your budget: {self.budget}."

    def buy(self, goods: list[str], amounts: list[int]) -> str:
        if self.done:
            raise InvalidAction("a basket was bought; the episode is over")
        if len(goods) != len(amounts):
            raise InvalidAction(
                f"{len(goods)} goods but {len(amounts)} amounts; give as many of each"
            )
        if len(set(goods)) < len(goods):
            raise InvalidAction("a name is given twice; name each of the goods once")
        if not set(goods) <= set(NAMES):
            raise InvalidAction(f"the shop has no such goods; it sells {', '.join(NAMES)}")
        cost = sum(self.prices[name] * amount for name, amount in zip(goods, amounts))
        self.done = True
        self.reward = 1.0 if cost == self.budget else 0.0
        return f"The basket costs {cost}; the budget was {self.budget}."
