"""A panel of dials and a question about what they show; a near answer earns a part."""

import random

from .picture import HEIGHT, LARGER, NAMES, PART, WIDTH, Dial, draw

EXACT, NEAR = 2, 6  # how far an answer may be off for all of the reward, and for half of it


class InvalidAction(Exception):
    """The action is not one the rules allow; the agent is told why and may try again."""


class DialPanel:
    """One panel. `reward` is 1.0, 0.5 or 0.0, by how near the answer is."""

    def __init__(self, task: dict, seed: int) -> None:
        """Set the dials; `task["question"]` is "one", "gap" or "sum", faces may be turned."""
        rng = random.Random(seed)
        self._dials = [
            Dial(name, rng.randint(3, 97), rng.randrange(0, 360, 15) if task["turned"] else 0)
            for name in NAMES
        ]
        chosen = rng.sample(self._dials, 3)
        if task["question"] == "one":
            self._answer = chosen[0].value
            self._question = f"What does dial {chosen[0].name} show?"
        elif task["question"] == "gap":
            low, high = sorted(chosen[:2], key=lambda dial: dial.value)
            self._answer = high.value - low.value
            first, second = sorted((low.name, high.name))
            self._question = (
                f"What is the difference between what dial {first} and dial {second} show, the smaller "
                "taken from the larger?"
            )
        else:
            self._answer = sum(dial.value for dial in chosen)
            first, second, third = sorted(dial.name for dial in chosen)
            self._question = f"What is the sum of what the dials {first}, {second} and {third} show?"
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        """The question."""
        return f"{self._question}\nCall `look` to see the panel."

    def look(self) -> list[str | bytes]:
        """The whole panel."""
        self._check_open()
        text = (
            f"The panel, {WIDTH} pixels wide and {HEIGHT} pixels high: x goes from 0 at the left to "
            f"{WIDTH - 1}, y from 0 at the top to {HEIGHT - 1}."
        )
        return [text, draw(self._dials)]

    def zoom(self, x: int, y: int) -> list[str | bytes]:
        """A square part of the panel, drawn larger."""
        self._check_open()
        text = (
            f"The part of the panel from x {x} to {x + PART - 1} and from y {y} to {y + PART - 1}, "
            f"{PART} by {PART} pixels, drawn {LARGER} times as large: {PART * LARGER} by "
            f"{PART * LARGER} pixels."
        )
        return [text, draw(self._dials, x, y, LARGER)]

    def answer(self, value: int) -> str:
        """Take the answer, once."""
        self._check_open()
        off = abs(value - self._answer)
        self.reward = 1.0 if off <= EXACT else 0.5 if off <= NEAR else 0.0
        self.done = True
        verdict = {1.0: "Right", 0.5: "Near, which earns half", 0.0: "Wrong"}[self.reward]
        return f"{verdict}: you answered {value}."

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("The answer was given; the episode is over.")
