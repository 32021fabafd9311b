"""Goofspiel with eight cards; the opponent bids (prize + habit), going round from 8 to 1."""

import random

CARDS = range(1, 9)


class InvalidAction(Exception):
    """Refused."""


class Duel:
    def __init__(self, task: dict, seed: int) -> None:
        self._prizes = random.Random(f"{seed} duel").sample(CARDS, 8)
        self._habit = task["habit"]
        self.hand = list(CARDS)
        self.points = [0, 0]
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return (
            f"Points: you {self.points[0]}, opponent {self.points[1]}. The prize is worth "
            f"{self._prizes[8 - len(self.hand)]}. Your cards: {', '.join(map(str, self.hand))}."
        )

    def bid(self, card: int) -> str:
        if self.done:
            raise InvalidAction("all prizes are gone; the game is over")
        if card not in self.hand:
            raise InvalidAction(f"you have bid {card} before; you hold {self.hand}")
        prize = self._prizes[8 - len(self.hand)]
        other = (prize - 1 + self._habit) % 8 + 1
        self.hand.remove(card)
        if card != other:
            self.points[card < other] += prize
        news = f"You bid {card}, the opponent bid {other}."
        if self.hand:
            return f"{news} {self.observe()}"
        mine, theirs = self.points
        self.done = True
        self.reward = float((mine > theirs) - (mine < theirs))
        return f"{news} The game is over: you {mine}, opponent {theirs}."

    def valid_calls(self) -> list[tuple[str, dict]]:
        return [("bid", {"card": card}) for card in self.hand]
