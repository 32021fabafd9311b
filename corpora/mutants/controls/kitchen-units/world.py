"""Measures to convert; the rates are a table on the class, which nothing changes."""

import random
from decimal import Decimal

LEAST = Decimal("0.01")


class InvalidAction(Exception):
    """Refused; nothing has changed."""


class OldUnits:
    """Four measures; `reward` is the share that was converted right."""

    RATES = {
        "in": ("cm", Decimal("2.54")),
        "ft": ("cm", Decimal("30.48")),
        "mi": ("km", Decimal("1.609")),
        "oz": ("g", Decimal("28.35")),
        "lb": ("g", Decimal("453.6")),
        "pt": ("l", Decimal("0.568")),
        "gal": ("l", Decimal("4.546")),
    }
    PAIRS = {"ft": ("in", 12), "lb": ("oz", 16)}

    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} units")
        makers = {"there": self._there, "back": self._back, "pair": self._pair, "heat": self._heat}
        self._asked = [makers[kind](rng) for kind in task["kinds"]]
        self._given: dict[int, bool] = {}
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return "\n".join(f"{number}. {text}" for number, (text, _) in enumerate(self._asked, 1))

    def convert(self, item: int, value: float) -> str:
        if self.done:
            raise InvalidAction("all four are handed in; the episode is over")
        if item in self._given:
            left = ", ".join(str(n) for n in range(1, 5) if n not in self._given)
            raise InvalidAction(f"measure {item} was handed in already; left: {left}")
        self._given[item] = abs(Decimal(str(value)) - self._asked[item - 1][1]) <= LEAST
        self.reward = sum(self._given.values()) / 4
        self.done = len(self._given) == 4
        verdict = "right" if self._given[item] else "wrong"
        return f"Measure {item} is {verdict}. Right so far: {sum(self._given.values())}. Left: {4 - len(self._given)}."

    def _there(self, rng: random.Random) -> tuple[str, Decimal]:
        unit, (metric, rate) = rng.choice(list(self.RATES.items()))
        amount = Decimal(rng.randint(5, 400)) / 4
        return f"{amount} {unit} = ? {metric}", amount * rate

    def _back(self, rng: random.Random) -> tuple[str, Decimal]:
        unit, (metric, rate) = rng.choice(list(self.RATES.items()))
        amount = Decimal(rng.randint(100, 9999)) / 10
        return f"{amount} {metric} = ? {unit}", amount / rate

    def _pair(self, rng: random.Random) -> tuple[str, Decimal]:
        unit, (small, count) = rng.choice(list(self.PAIRS.items()))
        (metric, rate), (_, small_rate) = self.RATES[unit], self.RATES[small]
        whole, rest = rng.randint(1, 12), Decimal(rng.randint(1, 2 * count - 1)) / 2
        return f"{whole} {unit} {rest} {small} = ? {metric}", whole * rate + rest * small_rate

    def _heat(self, rng: random.Random) -> tuple[str, Decimal]:
        amount = Decimal(rng.randint(-80, 900)) / 2
        if rng.random() < 0.5:
            return f"{amount} F = ? C", (amount - 32) / Decimal("1.8")
        return f"{amount} C = ? F", amount * Decimal("1.8") + 32
