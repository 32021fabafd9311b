"""A line in a shifted alphabet. The number of a puzzle is its name and no more."""

import random
from string import ascii_lowercase as ABC

HOW = "seven quiet brave hungry silver young clever lonely eleven golden".split()
WHO = "farmers otters pilots dragons singers bakers wizards donkeys turtles sailors".split()
DO = "paint follow carry borrow wash measure forget guard polish deliver".split()
WHAT = "ladders pumpkins violins mirrors kettles feathers blankets maps candles barrels".split()
WHEN = "before sunrise,after lunch,every winter,in the harbour,near the bridge,without a word".split(",")
PEEKS = 2


class InvalidAction(Exception):
    """Refused; nothing has changed."""


def shifted(text: str, by: int) -> str:
    return text.translate(str.maketrans(ABC, ABC[by:] + ABC[:by]))


def turned(text: str) -> str:
    return " ".join(word[::-1] for word in text.split(" "))


class NumberedCipher:
    """`reward` is 1.0 less a quarter a peek after the right line."""

    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} cipher")
        self._plain = " ".join(rng.choice(some) for some in (HOW, WHO, DO, HOW, WHAT, WHEN))
        self._is_turned = task["turned"]
        written = shifted(self._plain, rng.randint(1, 25))
        self.cipher = turned(written) if self._is_turned else written
        self._peeked: set[int] = set()
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        kind = "turned" if self._is_turned else "not turned"
        return f"This puzzle is {kind}. The enciphered line:\n{self.cipher}"

    def peek(self, position: int) -> str:
        self._check_open()
        if position > len(self.cipher):
            raise InvalidAction(f"the line has {len(self.cipher)} positions; there is no {position}")
        if self.cipher[position - 1] == " ":
            raise InvalidAction(f"position {position} is a space; peek at a letter")
        if position in self._peeked:
            raise InvalidAction(f"position {position} was shown already")
        if len(self._peeked) == PEEKS:
            raise InvalidAction("both peeks are used; only solving is left")
        self._peeked.add(position)
        there = (turned(self._plain) if self._is_turned else self._plain)[position - 1]
        left = PEEKS - len(self._peeked)
        return f"At position {position}, {self.cipher[position - 1]!r} stands for {there!r}. Peeks left: {left}."

    def solve(self, line: str) -> str:
        self._check_open()
        self.done = True
        right = " ".join(line.lower().split()) == self._plain
        self.reward = 1.0 - 0.25 * len(self._peeked) if right else 0.0
        return "That is the line." if right else "That is not the line."

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("a line was handed in; the episode is over")
