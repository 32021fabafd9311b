"""A walk over a slippery frozen lake, as Gymnasium's FrozenLake-v1 plays it."""

from .pcg64 import Generator

LAKE = ("SFFF", "FHFH", "FFFH", "HFFG")
MOVES = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The change of row and column for each action."""
NAMES = ("Left", "Down", "Right", "Up")
CHANCE = 1 / 3
"""Probability of the intended direction, and of each direction at a right angle to it."""


class InvalidAction(Exception):
    """The rules forbid the action; the agent sees why and may try again."""


class FrozenLake:
    """One walk. `reward` is 1.0 when the goal is reached."""

    def __init__(self, task: dict, seed: int) -> None:
        """Put the agent on the start; the seed decides where the agent slips."""
        self.reward, self.done = 0.0, False
        self._chance = Generator(seed)
        self._chance.random()  # the original draws the start, although there is only one
        self._row = self._column = 0
        self._last = ""

    def observe(self) -> str:
        """Return the place on the lake and the map."""
        place, drawn = self._shown().split("\n", 1)
        return f"An action is an integer from 0 to 3.\n\n{place}\n\n{drawn}"

    def act(self, *, action: int) -> str:
        """Move, or slip to a direction at a right angle."""
        drawn, ways = self._chance.random(), [(action - 1) % 4, action, (action + 1) % 4]
        bounds = (CHANCE, CHANCE + CHANCE, CHANCE + CHANCE + CHANCE)
        # No bound exceeds a number above their rounded sum: the original then takes the first.
        chosen = next(
            (way for way, bound in zip(ways, bounds, strict=True) if bound > drawn), ways[0]
        )
        down, right = MOVES[chosen]
        self._row = min(max(self._row + down, 0), 3)
        self._column = min(max(self._column + right, 0), 3)
        self._last = f"  ({NAMES[action]})"
        letter = LAKE[self._row][self._column]
        self.done = letter in "GH"
        self.reward += float(letter == "G")
        return self._shown()

    def _shown(self) -> str:
        rows = list(LAKE)
        row, at = rows[self._row], self._column
        rows[self._row] = f"{row[:at]}[{row[at]}]{row[at + 1 :]}"
        place = 4 * self._row + self._column
        return f"Observation: {place}\n" + "\n".join([self._last, *rows]) + "\n"
