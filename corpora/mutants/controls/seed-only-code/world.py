"""Break a code; everything comes from the seed."""

import random
from collections import Counter

GUESSES = 12


class InvalidAction(Exception):
    """Refused."""


def counts(guess: str, code: str) -> tuple[int, int]:
    """Letters in the right place, and further ones in another place."""
    placed = sum(a == b for a, b in zip(guess, code))
    return placed, (Counter(guess) & Counter(code)).total() - placed


class Code:
    def __init__(self, task: dict, seed: int) -> None:
        self._code = "".join(random.Random(f"{seed} code").choices("ABCDEFGH", k=5))
        self._left = GUESSES
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"The code is set. You have {self._left} guesses."

    def guess(self, code: str) -> str:
        if self.done:
            raise InvalidAction("no more guesses; the episode is over")
        self._left -= 1
        placed, misplaced = counts(code, self._code)
        self.reward = 1.0 if placed == 5 else 0.0
        self.done = placed == 5 or not self._left
        end = " You found the code." if placed == 5 else ""
        return f"Right place: {placed}, other place: {misplaced}. Guesses left: {self._left}.{end}"
