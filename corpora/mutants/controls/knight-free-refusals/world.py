"""A knight's way on a board with holes."""

import random

SQUARES = [(column, row) for column in range(1, 9) for row in range(1, 9)]


class InvalidAction(Exception):
    """Refused."""


def reach(start: tuple, holes: list) -> dict[tuple, list]:
    """The shortest way to every square that can be reached."""
    ways, ring = {start: []}, [start]
    for place in ring:
        for other in SQUARES:
            step = {abs(place[0] - other[0]), abs(place[1] - other[1])}
            if step == {1, 2} and other not in holes and other not in ways:
                ways[other] = [*ways[place], other]
                ring.append(other)
    return ways


class Knight:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} knight")
        goals: list = []
        while not goals:
            self.start, *holes = rng.sample(SQUARES, 11)
            self.holes = sorted(holes)
            goals = [
                s for s, way in reach(self.start, self.holes).items() if len(way) == task["hops"]
            ]
        self.goal = rng.choice(goals)
        self.at = self.start
        self._left = 6
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        holes = ", ".join(f"({column}, {row})" for column, row in self.holes)
        return f"Squares are (column, row). Holes: {holes}. The goal: {self.goal}. {self._state()}"

    def hop(self, column: int, row: int) -> str:
        if self.done:
            raise InvalidAction("the episode is over; the knight stays")
        step = {abs(self.at[0] - column), abs(self.at[1] - row)}
        if step != {1, 2}:
            raise InvalidAction(f"({column}, {row}) is no knight's hop away from {self.at}")
        if (column, row) in self.holes:
            raise InvalidAction(f"({column}, {row}) is a hole; hop elsewhere")
        self.at = (column, row)
        self._left -= 1
        self.reward = 1.0 if self.at == self.goal else 0.0
        self.done = self.at == self.goal or not self._left
        return self._state()

    def _state(self) -> str:
        end = " It is the goal." if self.at == self.goal else ""
        return f"The knight stands at {self.at}.{end} Hops left: {self._left}."
