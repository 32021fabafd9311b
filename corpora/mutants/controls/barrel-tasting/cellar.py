"""A cellar with spoiled barrels, found by tasting mixtures; too many tastings cost reward."""

import random

LEAST = 0.1  # what a right answer earns at least
PRICE = 0.1  # of a tasting beyond the free ones
WRONG = -0.5


class InvalidAction(Exception):
    """The rules forbid it; the agent is told why and may try again."""


class BarrelTasting:
    """One cellar. `reward` is what the answer earned, 0.0 until it is given."""

    def __init__(self, task: dict, seed: int) -> None:
        """Spoil `task["spoiled"]` of `task["barrels"]` barrels."""
        self.barrels: int = task["barrels"]
        self.spoiled: int = task["spoiled"]
        self.free: int = task["free"]
        self.tastings = 0
        self.reward = 0.0
        self.done = False
        rng = random.Random(seed)
        self._bad = frozenset(rng.sample(range(1, self.barrels + 1), self.spoiled))

    def observe(self) -> str:
        """How many barrels there are, and how many tastings are free."""
        return (
            f"There are {self.barrels} barrels, numbered from 1; exactly {self.spoiled} are spoiled.\n"
            f"{self._status()}"
        )

    def taste(self, barrels: str) -> str:
        """Taste a mixture of some barrels; it is sour if a spoiled one is among them."""
        chosen = self._read(barrels)
        self.tastings += 1
        sour = bool(self._bad & chosen)
        taste = "sour: at least one of them is spoiled" if sour else "fine: none of them is spoiled"
        names = ", ".join(str(barrel) for barrel in sorted(chosen))
        return f"The mixture of {names} tastes {taste}.\n{self._status()}"

    def accuse(self, barrels: str) -> str:
        """Name the spoiled barrels, once; it ends the episode."""
        chosen = self._read(barrels)
        if len(chosen) != self.spoiled:
            raise InvalidAction(
                f"You named {len(chosen)} barrels; name exactly {self.spoiled}. "
                "This was not taken as your answer."
            )
        self.done = True
        if chosen != self._bad:
            self.reward = WRONG
            return "Wrong: these are not the spoiled barrels."
        beyond = max(0, self.tastings - self.free)
        self.reward = max(LEAST, round(1.0 - PRICE * beyond, 2))
        return f"Right: these are the spoiled barrels. Tastings beyond the free ones: {beyond}."

    def _read(self, text: str) -> frozenset[int]:
        """The barrels of a list. Raises InvalidAction for one that is not there or named twice."""
        if self.done:
            raise InvalidAction("The answer was given; the cellar is closed.")
        parts = [part.strip() for part in text.split(",")]
        if not all(part.isascii() and part.isdigit() for part in parts):
            raise InvalidAction(
                "The list cannot be read: write the numbers of barrels with commas between them. "
                "Nothing was tasted or answered."
            )
        numbers = [int(part) for part in parts]
        for number in numbers:
            if not 1 <= number <= self.barrels:
                raise InvalidAction(
                    f"There is no barrel {number}; use numbers from 1 to {self.barrels}. "
                    "Nothing was tasted or answered."
                )
            if numbers.count(number) > 1:
                raise InvalidAction(
                    f"Barrel {number} is named twice; name each once. Nothing was tasted or answered."
                )
        return frozenset(numbers)

    def _status(self) -> str:
        return f"Tastings so far: {self.tastings}. Free tastings left: {max(0, self.free - self.tastings)}."
