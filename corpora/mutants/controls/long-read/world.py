"""A book of 1,200 lines made from the seed."""

import random

SHIPS = ("Aurora", "Borealis", "Concordia", "Dorothea", "Esperance", "Fortuna")
GOODS = ("dried figs", "salted cod", "green glass", "raw cotton")
PORTS = ("Bergen", "Lisbon", "Marseille", "Odessa", "Valletta")
LINES = 400


class InvalidAction(Exception):
    """Refused."""


class HarbourBook:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} harbour")
        self._lines = [
            (rng.choice(SHIPS), rng.choice(GOODS), rng.choice(PORTS), rng.randint(10, 99))
            for _ in range(3 * LINES)
        ]
        self._asked = rng.choice(self._lines)[:3]
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        ship, goods, port = self._asked
        return f"How many crates of {goods} did the {ship} land at {port}, in all three chapters?"

    def read_chapter(self, chapter: int) -> str:
        if self.done:
            raise InvalidAction("the question was answered; the episode is over")
        first = (chapter - 1) * LINES
        return "\n".join(
            f"Entry {first + n}: the {ship} landed {crates} crates of {goods} at {port}."
            for n, (ship, goods, port, crates) in enumerate(self._lines[first : first + LINES], 1)
        )

    def answer(self, crates: int) -> str:
        if self.done:
            raise InvalidAction("the question was answered; the episode is over")
        right = sum(line[3] for line in self._lines if line[:3] == self._asked)
        self.done = True
        self.reward = 1.0 if crates == right else 0.0
        return "Right." if self.reward else "Wrong."
