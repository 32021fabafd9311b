"""Four sums worth 1, 2, 3 and 4 tenths, paid as they are answered."""

import random

WORTH = (1, 2, 3, 4)


class InvalidAction(Exception):
    """Refused."""


class Relay:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} relay")
        reach = task["reach"]
        self._sums = [[rng.randint(-reach, reach) for _ in range(2 * w)] for w in WORTH]
        self._right: list[bool] = []

    @property
    def reward(self) -> float:
        return sum(w for w, right in zip(WORTH, self._right) if right) / sum(WORTH)

    @property
    def done(self) -> bool:
        return len(self._right) == len(WORTH)

    def observe(self) -> str:
        number = len(self._right)
        terms = " + ".join(f"({n})" for n in self._sums[number])
        return f"Sum {number + 1} of 4: {terms}"

    def answer(self, total: int) -> str:
        if self.done:
            raise InvalidAction("all four sums were answered; the episode is over")
        self._right.append(total == sum(self._sums[len(self._right)]))
        news = "Right." if self._right[-1] else "Wrong."
        return f"{news} That was the last sum." if self.done else f"{news} {self.observe()}"
