"""A seller with a lowest price that nobody tells, and a buyer who can pay so much and no more."""

import random

THINGS = ("saddle", "plough", "churn", "anvil", "ladder", "cart", "scythe", "trough")


class InvalidAction(Exception):
    """Refused; nothing has changed."""


class BarnSale:
    """`reward` is what the buyer keeps of the purse, in hundreds of crowns; 0 without a deal."""

    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} barn")
        self.thing = rng.choice(THINGS)
        self.lowest = rng.randint(60, 160)
        self.purse = self.lowest + rng.randint(*task["room"])
        self.ask = self.lowest + rng.randint(60, 110)
        self.step = rng.randint(9, 19)
        self.last = self.ask // 3
        self.offers: int = task["offers"]
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return (
            f"The seller asks {self.ask} crowns for the {self.thing}. You have {self.purse} crowns. "
            f"The talk starts at {self.last}, the step is {self.step}. Offers left: {self.offers}."
        )

    def offer(self, price: int) -> str:
        self._check_open()
        if not self.offers:
            raise InvalidAction("no offers are left; buy or leave")
        if not self.last < price < self.ask:
            raise InvalidAction(f"an offer lies above {self.last} and below {self.ask}")
        if price > self.purse:
            raise InvalidAction(f"you have {self.purse} crowns")
        fair = price - self.last == self.step
        self.offers -= 1
        self.last = price
        if fair:
            self.ask = max(self.lowest, self.ask - 2 * self.step)
        word = " That is the last word." if self.ask == self.lowest else ""
        mood = "nods" if fair else "shrugs"
        return f"The seller {mood} and asks {self.ask} crowns.{word} Offers left: {self.offers}."

    def buy(self) -> str:
        self._check_open()
        if self.ask > self.purse:
            raise InvalidAction(f"the seller asks {self.ask} crowns, and you have {self.purse}")
        self.done = True
        self.reward = (self.purse - self.ask) / 100
        return f"The {self.thing} is yours for {self.ask} crowns."

    def leave(self) -> str:
        self._check_open()
        self.done = True
        return "You leave without a deal."

    def valid_calls(self) -> list[tuple[str, dict]]:
        highest = min(self.ask - 1, self.purse)
        prices = range(self.last + 1, highest + 1, 5) if self.offers else ()
        buying = [("buy", {})] if self.ask <= self.purse else []
        return [*buying, ("leave", {}), *(("offer", {"price": price}) for price in prices)]

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("the sale is over")
