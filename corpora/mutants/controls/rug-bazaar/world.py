"""A seller who comes down as the buyer comes up."""

import random


class InvalidAction(Exception):
    """Refused; nothing has changed."""


class Bazaar:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} rug")
        self.first_ask = rng.randint(120, 600)
        self.least = (self.first_ask + 1) // 2
        self._floor = rng.randint(self.first_ask * 68 // 100, self.first_ask * 97 // 100)
        meet = next(p for p in range(self.least, self.first_ask + 1) if p >= self._moved(p))
        # A floor that shows only where both would meet cannot be told from none.
        self._floor -= self._moved(meet) < self._floor <= self._moved(meet - 1)
        self.offers = task["offers"]
        self.made: list[int] = []
        self.reward = 0.0
        self.done = False

    def _moved(self, price: int) -> int:
        return self.first_ask - (price - self.least) // 2

    def asks(self, first: int, price: int) -> int:
        """What he asks when a price is offered after a first one."""
        return max(self._floor, self.first_ask - (price - first) // 2)

    def best(self) -> int:
        return next(p for p in range(self.least, self.first_ask + 1) if p >= self.asks(self.least, p))

    def observe(self) -> str:
        return f"The seller asks {self.first_ask}. He hears {self.offers} offers."

    def offer(self, price: int) -> str:
        if self.done:
            raise InvalidAction("the haggling is over")
        if not self.least <= price <= self.first_ask:
            raise InvalidAction(f"offer {self.least} to {self.first_ask}")
        if self.made and price <= self.made[-1]:
            raise InvalidAction(f"you have offered {self.made[-1]}; offer more")
        self.made.append(price)
        ask = self.asks(self.made[0], price)
        if price >= ask:
            self.done = True
            self.reward = (self.first_ask - price) / (self.first_ask - self.best())
            return f"Sold for {price}."
        if len(self.made) == self.offers:
            self.done = True
            return "He shakes his head and packs up."
        return f"He asks {ask} now. Offers left: {self.offers - len(self.made)}."

    def leave(self) -> str:
        if self.done:
            raise InvalidAction("the haggling is over")
        self.done = True
        return "You go without a rug."
