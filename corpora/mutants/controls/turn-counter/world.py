"""A light with a growing step; every observation counts the moves."""

import random

LAMPS = 997
MOVES = 8


class InvalidAction(Exception):
    """Refused."""


class Light:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} light")
        self._lamp, self._step = rng.randrange(LAMPS), rng.randint(1, LAMPS - 1)
        self._growth = rng.randint(1, task["growth"])
        self._moves = 0
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"No move was made yet. Lamp {self._lamp} is lit."

    def watch(self) -> str:
        if self.done:
            raise InvalidAction("the episode is over; the light is out")
        self._pass()
        self.done = self._moves == MOVES
        end = " The moves are used up." if self.done else ""
        return f"Move {self._moves} of {MOVES}: lamp {self._lamp} is lit.{end}"

    def name_lamp(self, lamp: int) -> str:
        if self.done:
            raise InvalidAction("the episode is over; the light is out")
        self._pass()
        self.done = True
        self.reward = 1.0 if lamp == self._lamp else 0.0
        news = "As you said" if self.reward else f"You named lamp {lamp}"
        return f"Move {self._moves} of {MOVES}: {news}; lamp {self._lamp} is lit."

    def _pass(self) -> None:
        self._moves += 1
        self._lamp = (self._lamp + self._step) % LAMPS
        self._step += self._growth
