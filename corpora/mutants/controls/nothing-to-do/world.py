"""Six rooms; in some tasks nothing is to be done."""

import random


class InvalidAction(Exception):
    """Refused."""


class Rooms:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} rooms")
        self.degrees = [rng.randint(19, 23) for _ in range(6)]
        for room in rng.sample(range(6), task["faults"]):
            self.degrees[room] = rng.choice((rng.randint(8, 18), rng.randint(24, 34)))
        self._fine = [19 <= degrees <= 23 for degrees in self.degrees]
        self._touched = [False] * 6
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        rooms = ", ".join(f"room {n} {degrees}" for n, degrees in enumerate(self.degrees, 1))
        return f"Degrees now: {rooms}."

    def adjust(self, room: int, degrees: int) -> str:
        if self.done:
            raise InvalidAction("you have signed off; the night is over")
        if not degrees:
            raise InvalidAction("0 degrees change nothing; give another number")
        self.degrees[room - 1] += degrees
        self._touched[room - 1] = True
        return self.observe()

    def sign_off(self) -> str:
        if self.done:
            raise InvalidAction("you have signed off already")
        self.done = True
        return f"You have signed off. {self.observe()}"

    def finish(self) -> None:
        right = all(19 <= degrees <= 23 for degrees in self.degrees)
        spared = not any(fine and hit for fine, hit in zip(self._fine, self._touched))
        self.reward = 1.0 if right and spared else 0.0
