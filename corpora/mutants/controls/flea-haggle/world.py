"""A seller who mirrors what the buyer concedes, down to a secret lowest price."""

import random

THINGS = ("clock", "bicycle", "violin", "mirror", "lamp", "wardrobe", "typewriter", "teapot")


class InvalidAction(Exception):
    """Refused; nothing has changed."""


class FleaHaggle:
    """`reward` is the part of the way from the first price to the lowest, once there is a deal."""

    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} flea")
        self._thing = rng.choice(THINGS)
        self._first = self.ask = rng.randint(*task["price"])
        self.lowest = rng.randint(-(-self._first * 80 // 100), self._first * 90 // 100)
        self.base = -(-self._first * 60 // 100)
        self.offers_left: int = task["offers"]
        # the step is wide enough for the lowest price to be reached in the offers there are
        self.step = max(2, -(-(self._first - self.lowest) // (task["offers"] - 2)))
        self.step += rng.randint(0, task["ease"])
        self.step += self.step % 2
        self._offered = self._offences = 0
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return (
            f"The seller of a {self._thing} asks {self._first} francs. The base for fair offers is {self.base}, "
            f"the step is {self.step}. Offers left: {self.offers_left}."
        )

    def offer(self, price: int) -> str:
        self._check_open()
        if not self.offers_left:
            raise InvalidAction(f"no offers are left; you can accept {self.ask} francs")
        if price <= self._offered:
            raise InvalidAction(f"{price} is not higher than your last offer of {self._offered}")
        self.offers_left -= 1
        if price >= self.ask:
            return self._deal()
        before, self._offered = max(self.base, self._offered), price
        if price < self.base:
            self._offences += 1
            self.done = self._offences == 2
            news = "The seller is offended and leaves: no deal." if self.done else "The seller is offended."
        else:
            self.ask = max(self.lowest, self.ask - min(self.step, 2 * (price - before)))
            word = " That is the last word." if self.ask == self.lowest else ""
            news = f"The seller asks {self.ask} francs now.{word}"
        return news if self.done else f"{news} Asking price: {self.ask}. Offers left: {self.offers_left}."

    def accept(self) -> str:
        self._check_open()
        return self._deal()

    def valid_calls(self) -> list[tuple[str, dict]]:
        prices = range(self._offered + 1, self.ask + 1, 7) if self.offers_left else ()
        return [("accept", {}), *(("offer", {"price": price}) for price in prices)]

    def _deal(self) -> str:
        self.done = True
        self.reward = (self._first - self.ask) / (self._first - self.lowest)
        return f"It is a deal at {self.ask} francs."

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("the talks are over")
