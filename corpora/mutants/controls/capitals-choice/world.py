"""Five capitals, one of them right; the seed draws and shuffles the others."""

import random

CAPITALS = (
    "Canberra Ottawa Ankara Nairobi Lima Oslo Vienna Hanoi Riga Quito Rabat Accra Dhaka Tallinn Vilnius "
    "Warsaw Lisbon Madrid Athens Dublin Budapest Prague Helsinki Havana Bogota Cairo Baghdad Tehran "
    "Kathmandu Manila Bangkok Jakarta Seoul Tokyo Reykjavik Montevideo"
).split()


class InvalidAction(Exception):
    """Refused."""


class Choice:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} choice")
        self._answer = task["answer"]
        others = rng.sample([name for name in CAPITALS if name != self._answer], 4)
        self.options = [*others, self._answer]
        rng.shuffle(self.options)
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return "\n".join(f"{letter}) {name}" for letter, name in zip("ABCDE", self.options))

    def choose(self, option: str) -> str:
        if self.done:
            raise InvalidAction("you have chosen; the episode is over")
        self.done = True
        self.reward = 1.0 if self.options["ABCDE".index(option)] == self._answer else 0.0
        return "Right." if self.reward else "Wrong."
