"""A vault: 1.0 for the right number, -1.0 for a wrong one, 0.0 for leaving it alone."""

import random

MOST = 1_000_000


class InvalidAction(Exception):
    """Refused."""


class Vault:
    def __init__(self, task: dict, seed: int) -> None:
        self._number = random.Random(f"{seed} vault").randint(1, MOST)
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return "The vault is closed. Its number is somewhere from 1 to 1,000,000."

    def compare(self, number: int) -> str:
        if self.done:
            raise InvalidAction("the vault was tried; the episode is over")
        if number == self._number:
            return f"{number} is the vault's number."
        word = "higher" if self._number > number else "lower"
        return f"The vault's number is {word} than {number}."

    def open_vault(self, number: int) -> str:
        if self.done:
            raise InvalidAction("the vault was tried; the episode is over")
        self.done = True
        self.reward = 1.0 if number == self._number else -1.0
        return "The vault opens." if self.reward > 0 else "An alarm rings: that was not the number."
