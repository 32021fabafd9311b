"""The length of a polyline, with a tolerance of 0.01."""

import math
import random


class InvalidAction(Exception):
    """Refused."""


class Trail:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} trail")
        self.points = [
            (rng.randint(-500, 500), rng.randint(-500, 500)) for _ in range(task["points"])
        ]
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"Points (x, y) in metres, in order: {', '.join(map(str, self.points))}."

    def measure(self, metres: float) -> str:
        if self.done:
            raise InvalidAction("a length was given; the episode is over")
        length = sum(math.dist(a, b) for a, b in zip(self.points, self.points[1:]))
        self.done = True
        # The billionth more is for what binary fractions lose at the very edge.
        self.reward = 1.0 if abs(metres - length) <= 0.01 + 1e-9 else 0.0
        return "Right." if self.reward else "Wrong."
