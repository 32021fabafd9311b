"""The game of finding a number in seven guesses."""

GUESSES = 7


class InvalidAction(Exception):
    """An action that is not allowed. The player gets the reason and may try again."""


class HigherLower:
    """One game; the reward is 1 for finding the number."""

    def __init__(self, task: dict, seed: int) -> None:
        self._secret = task["secret"]
        self.left = GUESSES
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"A number from 1 to 100 is hidden. Guesses left: {self.left}."

    def guess(self, number: int) -> str:
        if self.done:
            raise InvalidAction("the game is over")
        if not 1 <= number <= 100:
            raise InvalidAction(f"{number} is not from 1 to 100")
        self.left -= 1
        result = "correct"
        if number != self._secret:
            result = "higher" if self._secret > number else "lower"
        if result == "correct":
            self.reward = 1.0
        self.done = result == "correct" or self.left == 0
        news = "The game is over." if self.done else f"Guesses left: {self.left}."
        return f"RESULT: {result}\n{news}"
