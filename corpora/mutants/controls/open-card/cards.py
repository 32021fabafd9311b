"""A table at which the house shows one card, and luck deals the rest."""

import random

LIMIT, HOUSE = 21, 17


class InvalidAction(Exception):
    """Refused; nothing has changed."""


class OpenCard:
    """`reward` is 1 for a hand that wins, 0.5 for a draw."""

    def __init__(self, task: dict, seed: int) -> None:
        self._rng = random.Random(f"{seed} cards")
        self.hand = [self._card(), self._card()]
        self.shown = self._card()
        self._house = [self.shown]
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"{self._own()} The house shows {self.shown}."

    def hit(self) -> str:
        self._check_open()
        self.hand.append(self._card())
        if sum(self.hand) > LIMIT:
            self.done = True
            return f"{self._own()} That is too much: the house wins."
        return f"{self._own()} The house shows {self.shown}."

    def stand(self) -> str:
        self._check_open()
        while sum(self._house) < HOUSE:
            self._house.append(self._card())
        ours, theirs = sum(self.hand), sum(self._house)
        self.done = True
        self.reward = 0.5 if ours == theirs else float(theirs > LIMIT or ours > theirs)
        end = {0.0: "The house wins.", 0.5: "It is a draw.", 1.0: "You win."}[self.reward]
        return f"{self._own()} The house has {' and '.join(map(str, self._house))}: {theirs}. {end}"

    def valid_calls(self) -> list[tuple[str, dict]]:
        return [] if self.done else [("hit", {}), ("stand", {})]

    def _card(self) -> int:
        return self._rng.randint(1, 10)

    def _own(self) -> str:
        return f"You have {' and '.join(map(str, self.hand))}: {sum(self.hand)}."

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("the hand is over")
