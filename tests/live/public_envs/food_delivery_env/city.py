"""The rules of the food delivery: three rounds of orders, four couriers, four zones."""

import random

ZONES = ("north", "south", "east", "west")
COURIERS = ("ana", "ben", "cai", "dee")
ROUNDS = 3
BUSY = 2
"""Orders in a zone above which its price is 1.5."""
FOR_ORDERS, FOR_PRICES = 0.7, 0.1


class InvalidAction(Exception):
    """A plan that the rules do not allow."""


class FoodDelivery:
    """Three rounds of orders; `reward` adds up what the rounds earned."""

    def __init__(self, task: dict, seed: int) -> None:
        """Draw couriers and orders so that every order can be delivered."""
        rng = random.Random(f"{seed}/{task['orders']}")
        self.zone_of = dict(zip(COURIERS, rng.choices(ZONES, k=len(COURIERS)), strict=True))
        self.rounds: list[dict[str, tuple[str, int]]] = []
        self.capacity = dict.fromkeys(COURIERS, 0)
        number = 0
        for _ in range(ROUNDS):
            orders, carried = {}, dict.fromkeys(COURIERS, 0)
            for _ in range(task["orders"]):
                number += 1
                courier, size = rng.choice(COURIERS), rng.randint(1, 3)
                carried[courier] += size
                orders[f"o{number}"] = (self.zone_of[courier], size)
            self.capacity = {c: max(self.capacity[c], carried[c]) for c in COURIERS}
            self.rounds.append(orders)
        self.at, self.delivered, self.priced = 0, 0, 0
        self.total = number
        self.done = False
        self.paused: list[str] = []

    @property
    def reward(self) -> float:
        """The share of orders delivered, and a tenth for each round with the right prices."""
        return round(FOR_ORDERS * self.delivered / self.total + FOR_PRICES * self.priced, 6)

    def observe(self) -> str:
        """The couriers, and the orders of this round."""
        couriers = [f"{c}: zone {self.zone_of[c]}, capacity {self.capacity[c]}" for c in COURIERS]
        orders = [f"{o}: zone {z}, size {s}" for o, (z, s) in self.rounds[self.at].items()]
        return "\n".join(["Couriers:", *couriers, f"Orders of round {self.at + 1}:", *orders])

    def prices(self) -> dict[str, float]:
        """The right prices of this round."""
        zones = [zone for zone, _ in self.rounds[self.at].values()]
        return {zone: 1.5 if zones.count(zone) > BUSY else 1 for zone in zones}

    def dispatch(
        self, *, assignments: list[dict], prices: dict[str, float], pause: list[str]
    ) -> str:
        """Play a round. Raises InvalidAction for a plan that the rules do not allow."""
        orders, carried = self.rounds[self.at], dict.fromkeys(COURIERS, 0)
        seen = set()
        for each in assignments:
            order, courier = each["order"], each["courier"]
            if order not in orders:
                raise InvalidAction(f"{order} is no order of this round")
            if order in seen:
                raise InvalidAction(f"{order} is assigned twice")
            zone, size = orders[order]
            if zone != self.zone_of[courier]:
                raise InvalidAction(f"{courier} does not reach the zone {zone} of {order}")
            seen.add(order)
            carried[courier] += size
            if carried[courier] > self.capacity[courier]:
                raise InvalidAction(f"{courier} carries at most {self.capacity[courier]}")
        right = prices == self.prices()
        self.delivered += len(seen)
        self.priced += right
        self.paused = pause
        self.at += 1
        self.done = self.at == ROUNDS
        news = f"Delivered {len(seen)} of {len(orders)}. The prices were {'right' if right else 'wrong'}."
        return news if self.done else f"{news}\n{self.observe()}"
