"""A dial that turns too far; look() takes no parameter."""

import random


class InvalidAction(Exception):
    """Refused."""


class Dial:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} dial")
        self._at, *self.marks = rng.sample(range(100), 4)
        self._wear = rng.randint(1, 9)
        self._pressed = 0
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"The marks, in order: {', '.join(map(str, self.marks))}. The dial stands at {self._at}."

    def look(self) -> str:
        self._check()
        return f"The dial stands at {self._at}. The mark due is {self.marks[self._pressed]}."

    def turn(self, places: int) -> str:
        self._check()
        self._at = (self._at + places + self._wear) % 100
        return f"You turned {places} places, and the dial went on a little."

    def press(self) -> str:
        self._check()
        if self._at != self.marks[self._pressed]:
            self.done = True
            return f"You pressed at {self._at}, which was not the mark due. It is over."
        self._pressed += 1
        if self._pressed == 3:
            self.reward, self.done = 1.0, True
            return "That was the third mark: it opens."
        return f"That was mark {self._pressed} of 3. The next is {self.marks[self._pressed]}."

    def _check(self) -> None:
        if self.done:
            raise InvalidAction("the episode is over; the dial is locked")
