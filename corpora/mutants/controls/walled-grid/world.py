"""A grid with walls."""

import random

SIZE = 9
STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class InvalidAction(Exception):
    """Refused."""


def ways(free: set, start: tuple) -> dict[tuple, list[str]]:
    """A shortest way to every place that can be reached."""
    found, ring = {start: []}, [start]
    for x, y in ring:
        for name, (dx, dy) in STEPS.items():
            place = (x + dx, y + dy)
            if place in free and place not in found:
                found[place] = [*found[(x, y)], name]
                ring.append(place)
    return found


class Walk:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} walk")
        places = [(x, y) for y in range(SIZE) for x in range(SIZE)]
        goals: list[tuple] = []
        while not goals:
            order = rng.sample(places, len(places))
            self.free, self.at = set(order[task["walls"] :]), order[-1]
            goals = [p for p, way in ways(self.free, self.at).items() if 8 <= len(way) <= 20]
        self.goal = rng.choice(goals)
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return "\n".join("".join(self._mark((x, y)) for x in range(SIZE)) for y in range(SIZE))

    def walk(self, direction: str) -> str:
        if self.done:
            raise InvalidAction("you are at the goal; the episode is over")
        dx, dy = STEPS[direction]
        place = (self.at[0] + dx, self.at[1] + dy)
        if place not in self.free:
            raise InvalidAction(f"there is a wall or the map's edge {direction} of you")
        self.at = place
        self.done = place == self.goal
        self.reward = 1.0 if self.done else 0.0
        return self.observe() + ("\nYou are at the goal." if self.done else "")

    def _mark(self, place: tuple) -> str:
        if place == self.at:
            return "@"
        return "G" if place == self.goal else "." if place in self.free else "#"
