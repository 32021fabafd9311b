"""Posts that rise to one and fall after it; what may be viewed depends on both ends."""

import random

VIEWS = 12
FREE = 4


class InvalidAction(Exception):
    """Refused."""


class Row:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} row")
        peak = rng.randint(1, 40)
        steps = [rng.randint(1, 9) for _ in range(40)]
        self.heights = [
            500 - sum(steps[min(at, peak) : max(at, peak)]) for at in range(1, 41)
        ]
        self.views = 0
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return "The row stands in fog. Nothing was viewed yet."

    def view(self, first: int, last: int) -> str:
        self._check()
        if not 2 <= last - first <= 4:
            raise InvalidAction(
                f"from {first} to {last} is out of range: the last post must be 2 to 4 after the first"
            )
        if self.views == VIEWS:
            raise InvalidAction("all views are used; answer now")
        self.views += 1
        shown = ", ".join(f"{n}: {self.heights[n - 1]}" for n in range(first, last + 1))
        return f"Heights {shown}. {VIEWS - self.views} views left."

    def answer(self, post: int) -> str:
        self._check()
        self.done = True
        if self.heights[post - 1] != max(self.heights):
            return f"Post {post} is not the highest. It is over."
        self.reward = (10 - max(0, self.views - FREE)) / 10
        return f"Post {post} is the highest."

    def _check(self) -> None:
        if self.done:
            raise InvalidAction("the episode is over")
