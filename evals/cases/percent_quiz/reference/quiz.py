"""One question about a percentage. The answer is the number in the last line of one message."""

import re
from decimal import Decimal

ANSWER = re.compile(r"ANSWER: ([0-9]{1,12}(?:\.[0-9]{0,12})?|\.[0-9]{1,12})")
"""The last line, with a number that is short enough to be read quickly."""


class InvalidAction(Exception):
    """An error that is never raised, because a message in another format is a wrong answer."""


def read_answer(text: str) -> Decimal | None:
    """Return the number in the last line that is not blank, or None."""
    lines = text.strip().splitlines()
    found = ANSWER.fullmatch(lines[-1].strip()) if lines else None
    return Decimal(found[1]) if found else None


class PercentQuiz:
    """One question. The reward is 1 for the correct number, or a half for a number that is close to it."""

    def __init__(self, task: dict, seed: int) -> None:
        self._answer = Decimal(task["answer"])
        self.reward = 0.0
        self.done = False

    def message(self, text: str) -> str:
        given = read_answer(text)
        self.done = True
        if given is None:
            return "The last line is not an answer in the required form."
        away = abs(given - self._answer)
        if away == 0:
            self.reward = 1.0
            return "Right."
        self.reward = 0.5 if away < 1 else 0.0
        return "Nearly right." if self.reward else "Wrong."
