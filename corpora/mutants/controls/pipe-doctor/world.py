"""A pipe with one leak. Pressures are counted in tenths of a bar."""

import random

PROBES = 4


class InvalidAction(Exception):
    """Refused; nothing has changed."""


class Pipe:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} pipe {task['segments']}")
        self.segments: int = task["segments"]
        self.start, self.loss = rng.randint(600, 900), rng.randint(2, 9)
        self._leak, self._extra = rng.randint(1, self.segments), rng.randint(10, 90)
        self.probes = PROBES
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return (
            f"The pipe has {self.segments} segments. Pressure at the start: {self.start / 10} bar. "
            f"A sound segment loses {self.loss / 10} bar."
        )

    def probe(self, joint: int) -> str:
        self._check(joint)
        if not self.probes:
            raise InvalidAction("you have no probe left; replace a segment")
        self.probes -= 1
        tenths = self.start - joint * self.loss - (self._extra if joint >= self._leak else 0)
        return f"Joint {joint}: {tenths / 10} bar. Probes left: {self.probes}."

    def replace(self, segment: int) -> str:
        self._check(segment)
        self.done = True
        self.reward = 1.0 if segment == self._leak else 0.0
        return "The leak is gone." if self.reward else "It still leaks somewhere."

    def _check(self, number: int) -> None:
        if self.done:
            raise InvalidAction("a segment was replaced; the episode is over")
        if number > self.segments:
            raise InvalidAction(f"the pipe has {self.segments} segments")
