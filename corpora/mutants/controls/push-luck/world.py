"""Nine coins and three skulls."""

import random

SKULL = 0


class InvalidAction(Exception):
    """Refused."""


class Luck:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} luck")
        self._cards = [SKULL]
        while self._cards[0] == SKULL:
            self._cards = rng.sample([*range(1, 10), SKULL, SKULL, SKULL], 12)
        self._safe = self._cards.index(SKULL)
        self._turned = 0
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"Cards turned: {self._turned} of 12. Your pot: {sum(self._cards[: self._turned])}."

    def turn_card(self) -> str:
        if self.done:
            raise InvalidAction("the episode is over; no more cards are turned")
        card = self._cards[self._turned]
        if card == SKULL:
            self.done = True
            return "A skull: the pot is lost, and the episode is over."
        self._turned += 1
        return f"A coin worth {card}. {self.observe()}"

    def stop(self) -> str:
        if self.done:
            raise InvalidAction("the episode is over already")
        pot = sum(self._cards[: self._turned])
        self.reward = pot / sum(self._cards[: self._safe])
        self.done = True
        return f"You keep {pot}."
