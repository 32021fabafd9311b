"""A refund desk with a policy behind a tool, and a line that ends every answer."""

import random

OPENED, MOST = 7, 200
PAID = {6: 1.0, 5: 0.4}


class InvalidAction(Exception):
    """Refused."""


class Desk:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} desk")
        self._limit = task["limit"]
        wanted = ["refund", "refund", "deny", "deny", "escalate", "escalate"]
        rng.shuffle(wanted)
        self.orders = {number: self._deal(rng, what) for number, what in enumerate(wanted, 1)}
        self.right = dict(enumerate(wanted, 1))
        self.decided: dict[int, str] = {}
        self._refused, self._state = 0, "open"
        self.reward = 0.0
        self.done = False

    def _deal(self, rng: random.Random, wanted: str) -> tuple[str, int, int]:
        kind = rng.choice(["sealed", "opened"])
        last = self._limit if kind == "sealed" else OPENED
        days = rng.randint(1, last) if wanted == "refund" else rng.randint(last + 1, last + 20)
        if wanted == "escalate":
            return kind, rng.randint(1, last + 20), rng.randint(MOST + 1, 2 * MOST)
        return kind, days, rng.randint(10, MOST)

    def observe(self) -> str:
        return "\n".join(
            f"Order {number}: {kind}, delivered {days} days ago, {dollars} dollars."
            for number, (kind, days, dollars) in self.orders.items()
        )

    def read_policy(self) -> str:
        return (
            f"Sealed goods are refunded up to {self._limit} days after delivery. "
            f"Opened goods are refunded up to {OPENED} days after delivery. "
            f"An order of more than {MOST} dollars is escalated, whenever it was delivered. "
            "All else is denied."
        )

    def refund(self, order: int) -> str:
        return self._decide(order, "refund")

    def deny(self, order: int) -> str:
        return self._decide(order, "deny")

    def escalate(self, order: int) -> str:
        return self._decide(order, "escalate")

    def _decide(self, order: int, what: str) -> str:
        if self.done:
            raise InvalidAction("the desk is closed")
        if order in self.decided:
            raise InvalidAction(f"order {order} is decided, which cannot be taken back")
        self.decided[order] = what
        self.done = len(self.decided) == len(self.orders)
        return f"Order {order}: {what}."

    def refused(self) -> None:
        self._refused += 1

    def status(self) -> str:
        left = len(self.orders) - len(self.decided)
        return f"STATUS: {left} orders left, {self._refused} refused, {self._state}"

    def finish(self, reason: str) -> None:
        self._state = f"closed ({reason})"
        if reason in ("terminated", "turns"):
            right = sum(self.right[order] == what for order, what in self.decided.items())
            self.reward = PAID.get(right, 0.0)
