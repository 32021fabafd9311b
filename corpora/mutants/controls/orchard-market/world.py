"""A season of trading; its best result is computed once for each season and kept."""

import random
from functools import lru_cache

MOST = 3


class InvalidAction(Exception):
    """Refused; nothing has changed."""


@lru_cache(maxsize=20000)
def best_from(prices: tuple[int, ...], crates: int, room: int, fee: int, storage: int) -> int:
    """The most money to be made from these days on, with so many crates."""
    if not prices:
        return 0
    return max(
        gain(prices[0], number, crates, fee, storage)
        + best_from(prices[1:], crates + number, room, fee, storage)
        for number in range(-min(MOST, crates), min(MOST, room - crates) + 1)
    )


def gain(price: int, number: int, crates: int, fee: int, storage: int) -> int:
    """What one day adds to the money."""
    return -number * price - abs(number) * fee - (crates + number) * storage


class OrchardMarket:
    """`reward` is the share of the most that could be made, paid after the last day."""

    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} orchard")
        self.room, self.fee, self.storage = task["room"], task["fee"], task["storage"]
        self.best = 0
        while self.best < 40:
            self.prices = tuple(rng.randint(10, 60) for _ in range(task["days"]))
            self.best = best_from(self.prices, 0, self.room, self.fee, self.storage)
        self.day = self.crates = self.money = 0
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return (
            f"The season has {len(self.prices)} days. Your store holds {self.room} crates. "
            f"The fee is {self.fee} a crate, storage is {self.storage} a crate and night.\n{self._today()}"
        )

    def trade(self, crates: int) -> str:
        self._check_open()
        if -crates > self.crates:
            raise InvalidAction(f"you cannot sell {-crates}; you have {self.crates} crates")
        if self.crates + crates > self.room:
            raise InvalidAction(f"there is no room for {crates} more; the store holds {self.room} and has {self.crates}")
        self.money += gain(self.prices[self.day], crates, self.crates, self.fee, self.storage)
        self.crates += crates
        self.day += 1
        if self.day < len(self.prices):
            return self._today()
        self.done = True
        self.reward = max(0, self.money) / self.best
        return f"The season is over. Money: {self.money}. The most that could be made: {self.best}."

    def forecast(self) -> str:
        self._check_open()
        days = enumerate(self.prices[self.day :], self.day + 1)
        return "Prices: " + ", ".join(f"day {day} {price}" for day, price in days) + "."

    def _today(self) -> str:
        return f"Day {self.day + 1} of {len(self.prices)}. Price: {self.prices[self.day]}. Crates: {self.crates}. Money: {self.money}."

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("the season is over")
