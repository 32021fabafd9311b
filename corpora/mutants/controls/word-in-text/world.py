"""A jumble of words; the task's own word occurs five times."""

import random

WORDS = (
    "anchor basket candle dragon engine feather garden hammer island jacket kettle ladder mirror needle "
    "orange pepper quiver ribbon saddle temple urchin velvet walnut yellow zipper arrow bridge castle "
    "desert falcon goblet harvest ivory jungle kitten lantern"
).split()


class InvalidAction(Exception):
    """Refused."""


class WordInText:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} text")
        self._word = task["word"]
        text = [self._word] * 5
        for word in WORDS:
            if word != self._word:
                text += [word] * rng.randint(1, 3)
        rng.shuffle(text)
        self._text = " ".join(text)
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return self._text

    def name_word(self, word: str) -> str:
        if self.done:
            raise InvalidAction("a word was named; the episode is over")
        self.done = True
        self.reward = 1.0 if word.lower() == self._word else 0.0
        return "Right." if self.reward else "Wrong."
