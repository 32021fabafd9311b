"""A seating plan, scored by finish()."""

import random
from itertools import combinations

GUESTS, TABLES, SEATS = range(1, 9), range(1, 4), 3


class InvalidAction(Exception):
    """Refused."""


class Seating:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} seating")
        guests = rng.sample(GUESTS, 8)
        secret = {guest: place % 3 + 1 for place, guest in enumerate(guests)}
        apart = [pair for pair in combinations(GUESTS, 2) if secret[pair[0]] != secret[pair[1]]]
        self.quarrels = sorted(rng.sample(apart, task["quarrels"]))
        self.plan: dict[int, int] = {}
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        pairs = ", ".join(f"{a} and {b}" for a, b in self.quarrels)
        return f"These pairs quarrel: {pairs}.\n{self._tables()}"

    def seat(self, guest: int, table: int) -> str:
        if self.done:
            raise InvalidAction("the doors are closed; the plan stands")
        if self.plan.get(guest) == table:
            raise InvalidAction(f"guest {guest} sits at table {table} already")
        if list(self.plan.values()).count(table) == SEATS:
            raise InvalidAction(f"table {table} is full; use another")
        self.plan[guest] = table
        return self._tables()

    def close_doors(self) -> str:
        if self.done:
            raise InvalidAction("the doors are closed already")
        self.done = True
        return f"The doors are closed. {self._tables()}"

    def finish(self) -> None:
        clash = any(a in self.plan and self.plan[a] == self.plan.get(b) for a, b in self.quarrels)
        self.reward = 0.0 if clash else len(self.plan) / len(GUESTS)

    def _tables(self) -> str:
        at = {t: [str(g) for g in GUESTS if self.plan.get(g) == t] for t in TABLES}
        return " ".join(f"Table {t}: {', '.join(at[t]) or 'empty'}." for t in TABLES)
