"""Two tools that must alternate."""

import random


class InvalidAction(Exception):
    """Refused."""


class DrawAndPlace:
    def __init__(self, task: dict, seed: int) -> None:
        self._stack = random.Random(f"{seed} cards").sample(range(1, 100), 6)
        self._cards = sorted(self._stack)
        self._card: int | None = None
        self._row: list[int | None] = [None] * 6
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"The cards, by size: {', '.join(map(str, self._cards))}. {self._shown()}"

    def draw(self) -> str:
        if self.done:
            raise InvalidAction("all cards are placed; the episode is over")
        if self._card is not None:
            raise InvalidAction(f"card {self._card} waits; place it first")
        self._card = self._stack.pop()
        return f"The card is {self._card}. {self._shown()}"

    def place(self, slot: int) -> str:
        if self.done:
            raise InvalidAction("all cards are placed; the episode is over")
        if self._card is None:
            raise InvalidAction("no card is turned up; draw one first")
        if self._row[slot - 1] is not None:
            raise InvalidAction(f"slot {slot} is taken; use a free one")
        self._row[slot - 1], self._card = self._card, None
        self.done = None not in self._row
        self.reward = 1.0 if self._row == self._cards else 0.0
        return self._shown()

    def _shown(self) -> str:
        return f"The row: {' '.join('-' if card is None else str(card) for card in self._row)}."
