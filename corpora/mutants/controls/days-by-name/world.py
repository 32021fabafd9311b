"""A table of sales; an answer may be a day's name or its first three letters, as the prompt says."""

import random

DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


class InvalidAction(Exception):
    """Refused."""


class Sales:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} sales")
        self._sold = dict(zip(DAYS, rng.sample(range(100, 1000), 7)))
        self.one, self.two = rng.sample(DAYS, 2)
        self._kind = task["kind"]
        self._left = 2
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        if self._kind == "difference":
            return f"What is the difference between {self.one} and {self.two}?"
        return f"Which day sold the {self._kind}?"

    def look(self) -> str:
        self._check_open()
        return "\n".join(f"{day}: {amount}" for day, amount in self._sold.items())

    def answer(self, text: str) -> str:
        self._check_open()
        given, right = self._read(text), self._right()
        self._left -= 1
        if given == right:
            self.reward = 1.0 if self._left else 0.5
            self.done = True
            return f"{given} is right."
        self.done = not self._left
        return f"{given} is wrong. Attempts left: {self._left}."

    def _right(self) -> int | str:
        if self._kind == "difference":
            return abs(self._sold[self.one] - self._sold[self.two])
        choose = max if self._kind == "most" else min
        return choose(self._sold, key=self._sold.get)

    def _read(self, text: str) -> int | str:
        if self._kind == "difference":
            if not text.isdecimal():
                raise InvalidAction("Not taken, and no attempt used: give a whole number in digits.")
            return int(text)
        for day in DAYS:
            if text.lower() in (day.lower(), day[:3].lower()):
                return day
        raise InvalidAction("Not taken, and no attempt used: give a day in full or its three letters.")

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("the episode is over")
