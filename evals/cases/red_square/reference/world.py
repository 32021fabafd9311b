"""A red square at a random position on a white picture."""

import io
import random

from PIL import Image

SIZE = 64
"""Pixels along each side of the picture."""
SIDE = 8
"""Pixels along each side of the red square."""


class InvalidAction(Exception):
    """An action that is not allowed. The agent gets the reason."""


class RedSquare:
    """One picture; the reward is 1 for a click on red."""

    def __init__(self, task: dict, seed: int) -> None:
        place = random.Random(seed)
        self.x, self.y = (place.randrange(SIZE - SIDE + 1) for _ in range(2))
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return "There is a picture with one red square; look at it."

    def look(self) -> list[str | bytes]:
        self._check_open()
        picture = Image.new("RGB", (SIZE, SIZE), "white")
        picture.paste((255, 0, 0), (self.x, self.y, self.x + SIDE, self.y + SIDE))
        kept = io.BytesIO()
        picture.save(kept, "PNG")
        return ["The picture:", kept.getvalue()]

    def click(self, x: int, y: int) -> str:
        self._check_open()
        self.done = True
        hit = self.x <= x < self.x + SIDE and self.y <= y < self.y + SIDE
        self.reward = 1.0 if hit else 0.0
        return "That was red." if hit else "That was white."

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("the episode is over")
