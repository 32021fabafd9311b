"""A board of nine lights, and nine presses to turn them off."""

SIDE = 3
"""Lights along each side of the board."""
PRESSES = 9
"""Presses that are allowed: one for each light, as a second one undoes the first."""


class InvalidAction(Exception):
    """An action that is not allowed. The player gets the reason and may try again."""


class Lights:
    """One board; the reward is 1 for all lights off."""

    def __init__(self, task: dict, seed: int) -> None:
        self.on = set()
        for row, column in task["pressed"]:
            self._switch(row, column)
        self.left = PRESSES
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        rows = range(1, SIDE + 1)
        drawn = ["".join("#" if (row, c) in self.on else "." for c in rows) for row in rows]
        return f"LIGHTS: {'/'.join(drawn)}"

    def press(self, row: int, column: int) -> str:
        if self.done:
            raise InvalidAction("the board is over")
        self._switch(row, column)
        self.left -= 1
        if not self.on:
            self.reward = 1.0
        self.done = not self.on or self.left == 0
        news = "The board is over." if self.done else f"Presses left: {self.left}."
        return f"{self.observe()}\n{news}"

    def _switch(self, row: int, column: int) -> None:
        for r, c in ((row, column), (row - 1, column), (row + 1, column)):
            self._turn(r, c)
        self._turn(row, column - 1)
        self._turn(row, column + 1)

    def _turn(self, row: int, column: int) -> None:
        if 1 <= row <= SIDE and 1 <= column <= SIDE:
            self.on ^= {(row, column)}
