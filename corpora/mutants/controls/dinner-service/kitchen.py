"""A dinner in two phases: shop within a budget, then prepare dishes for one oven before closing."""

import random
from itertools import permutations

DISHES = ("bread", "crumble", "gratin", "lasagne", "pie", "tart")
GOODS = ("apples", "butter", "cheese", "flour", "milk", "potatoes")


class InvalidAction(Exception):
    """It is not possible now; the agent is told why and may try again."""


def ready_times(order: list[str], minutes: dict[str, tuple[int, int]]) -> dict[str, int]:
    """When each dish comes out of the oven if the cook prepares them in this order without a pause."""
    clock = oven = 0
    ready = {}
    for dish in order:
        prepare, bake = minutes[dish]
        clock += prepare
        oven = max(clock, oven) + bake
        ready[dish] = oven
    return ready


class DinnerService:
    """One dinner. `reward` is set by `finish`: the share of the dishes that were ready in time."""

    def __init__(self, task: dict, seed: int) -> None:
        """Draw a menu of `task["dishes"]` dishes; closing time is the best possible, plus `task["slack"]`."""
        rng = random.Random(seed)
        self.menu: list[str] = sorted(rng.sample(DISHES, task["dishes"]))
        self.minutes = {dish: (rng.randint(5, 40), rng.randint(5, 40)) for dish in self.menu}
        self.needs = {
            dish: {good: rng.randint(1, 4) for good in sorted(rng.sample(GOODS, rng.randint(2, 3)))}
            for dish in self.menu
        }
        self.prices = {good: rng.randint(2, 6) for good in GOODS}
        total = sum(
            self.prices[good] * count for need in self.needs.values() for good, count in need.items()
        )
        self.coins = total + 1  # no spare unit of anything can be paid
        best = min(max(ready_times(list(order), self.minutes).values()) for order in permutations(self.menu))
        self.closing = best + task["slack"]
        self.basket = dict.fromkeys(GOODS, 0)
        self.cooking = False
        self.clock = 0
        self._oven_free = 0
        self.ready: dict[str, int] = {}
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        """The menu, the prices and the closing time."""
        lines = [f"The menu has {len(self.menu)} dishes. Closing time is minute {self.closing}."]
        for dish in self.menu:
            prepare, bake = self.minutes[dish]
            need = ", ".join(f"{count} {good}" for good, count in self.needs[dish].items())
            lines.append(f"- {dish}: needs {need}; {prepare} minutes to prepare, {bake} minutes in the oven.")
        prices = ", ".join(f"{good} {price}" for good, price in self.prices.items())
        lines.append(f"Prices in coins for one unit: {prices}.")
        return "\n".join([*lines, self._status()])

    def buy(self, good: str, units: int) -> str:
        """Buy units of one good, in the shop only."""
        self._check_open()
        if self.cooking:
            raise InvalidAction("You have left the shop for the kitchen; nothing can be bought any more.")
        price = units * self.prices[good]
        if price > self.coins:
            raise InvalidAction(
                f"{units} {good} cost {price} coins and you have {self.coins}; nothing was bought."
            )
        self.coins -= price
        self.basket[good] += units
        return f"You bought {units} {good} for {price} coins.\n{self._status()}"

    def start_cooking(self) -> str:
        """Leave the shop for the kitchen; there is no way back."""
        self._check_open()
        if self.cooking:
            raise InvalidAction("You are in the kitchen already; prepare a dish or end the dinner.")
        self.cooking = True
        return f"You are in the kitchen.\n{self._status()}"

    def prepare(self, dish: str) -> str:
        """Prepare a dish and put it in line for the oven."""
        self._check_kitchen()
        if dish not in self.menu:
            raise InvalidAction(f"{dish} is not on the menu; the menu is {', '.join(self.menu)}.")
        if dish in self.ready:
            raise InvalidAction(f"{dish} is prepared already; each dish is prepared once.")
        need = self.needs[dish]
        short = [
            f"{count - self.basket[good]} {good}"
            for good, count in need.items()
            if count > self.basket[good]
        ]
        if short:
            raise InvalidAction(f"{dish} cannot be prepared: {', '.join(short)} are missing.")
        for good, count in need.items():
            self.basket[good] -= count
        prepare, bake = self.minutes[dish]
        self.clock += prepare
        start = max(self.clock, self._oven_free)
        self._oven_free = self.ready[dish] = start + bake
        self.done = len(self.ready) == len(self.menu)
        end = "All dishes are prepared: the dinner is over." if self.done else self._status()
        return f"{dish} is prepared; it is in the oven from minute {start} to minute {start + bake}.\n{end}"

    def end_dinner(self) -> str:
        """End the dinner; what is in line is still baked."""
        self._check_kitchen()
        self.done = True
        return "The dinner is over."

    def finish(self) -> None:
        """Count the dishes that were out of the oven at closing time."""
        in_time = [dish for dish, minute in self.ready.items() if minute <= self.closing]
        self.reward = len(in_time) / len(self.menu)

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("The dinner is over.")

    def _check_kitchen(self) -> None:
        self._check_open()
        if not self.cooking:
            raise InvalidAction("You are still in the shop; start cooking first, then use the kitchen.")

    def _status(self) -> str:
        have = ", ".join(f"{count} {good}" for good, count in self.basket.items() if count) or "nothing"
        if not self.cooking:
            return f"You are in the shop with {self.coins} coins. Basket: {have}."
        left = ", ".join(dish for dish in self.menu if dish not in self.ready)
        return f"It is minute {self.clock}; closing time is minute {self.closing}. Basket: {have}. Not prepared: {left}."
