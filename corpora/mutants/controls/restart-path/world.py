"""A path over every floor square; a restart costs a fifth."""

import random

STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class InvalidAction(Exception):
    """Refused."""


def near(place: tuple) -> dict[str, tuple]:
    """The neighbours of a square on the map."""
    around = {name: (place[0] + dx, place[1] + dy) for name, (dx, dy) in STEPS.items()}
    return {name: (x, y) for name, (x, y) in around.items() if 0 <= x < 5 and 0 <= y < 5}


class Path:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} path")
        walk: list[tuple] = []
        while len(walk) < task["squares"]:
            walk = [(rng.randrange(5), rng.randrange(5))]
            while len(walk) < task["squares"]:
                free = [place for place in near(walk[-1]).values() if place not in walk]
                if not free:
                    break
                walk.append(rng.choice(free))
        self.floor = frozenset(walk)
        self.trail = walk[:1]
        self._restarts = 0
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        rows = ["".join(self._mark((x, y)) for x in range(5)) for y in range(5)]
        return "\n".join([*rows, f"Restarts left: {3 - self._restarts}."])

    def open_moves(self) -> list[str]:
        around = near(self.trail[-1]).items()
        return [name for name, place in around if place in self.floor and place not in self.trail]

    def move(self, direction: str) -> str:
        if self.done:
            raise InvalidAction("the episode is over; you cannot move")
        if direction not in self.open_moves():
            raise InvalidAction(f"{direction} is closed; open are: {self.open_moves() or 'none'}")
        self.trail.append(near(self.trail[-1])[direction])
        if len(self.trail) == len(self.floor):
            self.reward, self.done = (5 - self._restarts) / 5, True
            return self.observe() + " Every square was stepped on."
        self.done = not self.open_moves() and self._restarts == 3
        return self.observe() + ("" if self.open_moves() else " You are stuck.")

    def restart(self) -> str:
        if self.done:
            raise InvalidAction("the episode is over; it cannot be restarted")
        if self._restarts == 3 or len(self.trail) == 1:
            raise InvalidAction(
                "you stand at the start" if self._restarts < 3 else "no restart is left"
            )
        self._restarts += 1
        del self.trail[1:]
        return self.observe()

    def _mark(self, place: tuple) -> str:
        if place == self.trail[-1]:
            return "@"
        return "x" if place in self.trail else "." if place in self.floor else "#"
