"""Sort words, some of them twice."""

import random

WORDS = (
    "bar bare bark barn baron barrel car card care cart carton den dent desk door dove each ear east easy "
    "fan fang far farm fast gas gate gear gem hat hate heat hen ice icon ink iron jam jar joke key kin king "
    "lamb lamp lane law map mar mare mark net new nest oak oar oat pan pane par park"
).split()


class InvalidAction(Exception):
    """Refused."""


class SortWords:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} sort")
        self.words = rng.choices(WORDS, k=task["words"])
        if self.words == sorted(self.words):
            self.words.reverse()
        self._tries = 2
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return " ".join(self.words)

    def rewrite(self, text: str) -> str:
        if self.done:
            raise InvalidAction("the episode is over; no more texts are taken")
        self._tries -= 1
        exact = text == " ".join(sorted(self.words))
        self.reward = 1.0 if exact else 0.0
        self.done = exact or not self._tries
        return "That is exact." if exact else f"That is not exact. Tries left: {self._tries}."
