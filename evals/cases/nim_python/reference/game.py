"""Nim against a computer that plays well."""


class InvalidAction(Exception):
    """An action that is not allowed. The player gets the reason and may try again."""


def computer(stones: int) -> int:
    """Return how many stones the computer takes: enough to leave a multiple of four if possible, otherwise 1."""
    return stones % 4 or 1


class Nim:
    """One game; the reward is 1 for taking the last stone."""

    def __init__(self, task: dict, seed: int) -> None:
        self.stones: int = task["stones"]
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"STONES: {self.stones}\nYou move first."

    def take(self, count: int) -> str:
        if self.done:
            raise InvalidAction("the game is over")
        if not 1 <= count <= min(3, self.stones):
            raise InvalidAction(f"take 1 to {min(3, self.stones)} stones")
        self.stones -= count
        if not self.stones:
            self.reward, self.done = 1.0, True
            return "STONES: 0\nYou took the last stone: you win."
        answer = computer(self.stones)
        self.stones -= answer
        self.done = not self.stones
        news = "It took the last stone: you lose." if self.done else "Your move."
        return f"The computer took {answer}.\nSTONES: {self.stones}\n{news}"
