"""One question about a chance; the answer may be written in many ways."""

import random
import re
from fractions import Fraction
from math import comb

PLACES = 4  # a rounded decimal must have as many, a rounded percentage two fewer
COLOURS = ("red", "white", "black")
NUMBER = r"(\d{1,12})(?:\.(\d{1,12}))?"
FORM = re.compile(rf"\s*(?:{NUMBER}\s*(%)?|(\d{{1,12}})\s*/\s*(\d{{1,12}}))\s*")


class InvalidAction(Exception):
    """The answer cannot be read; the agent is told why and may try again."""


def matches(text: str, chance: Fraction) -> bool:
    """Whether a written answer is the chance, exactly or rounded to enough places.

    Raises InvalidAction for what is no fraction, decimal or percentage.
    """
    match = FORM.fullmatch(text) if text.isascii() else None
    if match is None or (match[5] and not int(match[5])):
        raise InvalidAction(
            "The answer cannot be read. Write a fraction such as 11/12, a decimal such as 0.9167, or a "
            "percentage such as 91.67%, and nothing else. It was not taken as your answer."
        )
    whole, decimals, percent, above, below = match.groups()
    if above:
        return Fraction(int(above), int(below)) == chance
    places = len(decimals or "")
    value = Fraction(int(whole + (decimals or "")), 10**places)
    if percent:
        value, places = value / 100, places + 2
    if value == chance:
        return True
    return places >= PLACES and abs(value - chance) <= Fraction(1, 2 * 10**places)


def draws(counts: list[int], wanted: int, drawn: int, hits: int) -> Fraction:
    """The chance of exactly so many hits among balls drawn without putting any back."""
    total = sum(counts)
    good = counts[wanted]
    return Fraction(comb(good, hits) * comb(total - good, drawn - hits), comb(total, drawn))


class ExactChance:
    """One question. `reward` is 1.0 after the right answer, else 0.0."""

    def __init__(self, task: dict, seed: int) -> None:
        """Fill an urn and ask a question of `task["kind"]`: "exactly", "least" or "same"."""
        rng = random.Random(seed)
        self.counts = [rng.randint(3, 12) for _ in COLOURS]
        wanted = rng.randrange(len(COLOURS))
        drawn = rng.randint(2, 4) if task["kind"] != "same" else rng.randint(2, 3)
        hits = rng.randint(1, drawn - 1)
        if task["kind"] == "exactly":
            self._chance = draws(self.counts, wanted, drawn, hits)
            what = f"exactly {hits} of the {drawn} balls {'is' if hits == 1 else 'are'} {COLOURS[wanted]}"
        elif task["kind"] == "least":
            self._chance = sum(
                (draws(self.counts, wanted, drawn, n) for n in range(hits, drawn + 1)), Fraction(0)
            )
            what = f"at least {hits} of the {drawn} balls {'is' if hits == 1 else 'are'} {COLOURS[wanted]}"
        else:
            self._chance = sum(
                (draws(self.counts, n, drawn, drawn) for n in range(len(COLOURS))), Fraction(0)
            )
            what = f"{'both' if drawn == 2 else f'all {drawn}'} balls have the same colour"
        balls = ", ".join(f"{n} {colour}" for n, colour in zip(self.counts, COLOURS, strict=True))
        self._question = (
            f"An urn holds these balls: {balls}. {drawn} balls are drawn at random, without putting "
            f"any back. What is the chance that {what}?"
        )
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        """The question."""
        return self._question

    def answer(self, value: str) -> str:
        """Take the answer, once."""
        if self.done:
            raise InvalidAction("The answer was given; no other is taken.")
        self.reward = 1.0 if matches(value, self._chance) else 0.0
        self.done = True
        return "Right." if self.reward else "Wrong."
