"""Coins in a row against perfect play; rows whose value is a draw."""

import random
from functools import cache


class InvalidAction(Exception):
    """Refused."""


def lead(row: tuple[int, ...]) -> int:
    """By how much the one whose turn it is comes out ahead if both play perfectly."""

    @cache
    def ahead(first: int, last: int) -> int:
        if first > last:
            return 0
        return max(row[first] - ahead(first + 1, last), row[last] - ahead(first, last - 1))

    return ahead(0, len(row) - 1)


def best_end(row: tuple[int, ...]) -> str:
    return "left" if row[0] - lead(row[1:]) >= row[-1] - lead(row[:-1]) else "right"


class Coins:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} coins")
        self.row: tuple[int, ...] = (1,)
        while lead(self.row):
            self.row = tuple(rng.randint(1, task["most"]) for _ in range(8))
        self.money = [0, 0]
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        row = " ".join(map(str, self.row)) or "empty"
        return f"You have {self.money[0]}, the opponent has {self.money[1]}. The row: {row}."

    def take(self, end: str) -> str:
        if self.done:
            raise InvalidAction("all coins are taken; the game is over")
        self._move(0, end)
        answer = best_end(self.row)
        coin = self._move(1, answer)
        self.done = not self.row
        self.reward = 0.5 if self.done and self.money[0] >= self.money[1] else 0.0
        return f"The opponent took {coin} from the {answer}. {self.observe()}"

    def _move(self, who: int, end: str) -> int:
        coin = self.row[0] if end == "left" else self.row[-1]
        self.row = self.row[1:] if end == "left" else self.row[:-1]
        self.money[who] += coin
        return coin
