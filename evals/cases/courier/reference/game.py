"""A grid, four houses, and a courier."""

SIZE = 5
"""Fields along each side of the grid."""
ACTIONS = 24
"""Calls after which a round is over, as the case asks."""
STEPS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}


class InvalidAction(Exception):
    """An action that is not allowed. The courier gets the reason and may go on."""


class Courier:
    """One round, in which every delivery earns an equal part of 1."""

    def __init__(self, task: dict, seed: int) -> None:
        self.x, self.y = task["start"]
        self.open = [tuple(place) for place in task["houses"]]
        self.houses = len(self.open)
        self.actions = 0
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        places = " ".join(f"{x},{y}" for x, y in self.open) or "none"
        return f"AT: {self.x},{self.y} OPEN: {places}"

    def walk(self, direction: str) -> str:
        self._check_open()
        dx, dy = STEPS[direction]
        x, y = self.x + dx, self.y + dy
        if not (0 <= x < SIZE and 0 <= y < SIZE):
            raise InvalidAction(f"there is no field to the {direction} of this one")
        self.x, self.y = x, y
        return self._counted()

    def deliver(self) -> str:
        self._check_open()
        if (self.x, self.y) not in self.open:
            raise InvalidAction("no house waits here")
        self.open.remove((self.x, self.y))
        self.reward = 1 - len(self.open) / self.houses
        return self._counted()

    def _counted(self) -> str:
        self.actions += 1
        self.done = not self.open or self.actions == ACTIONS
        news = "The episode is over." if self.done else f"Actions left: {ACTIONS - self.actions}."
        return f"{self.observe()}\n{news}"

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("the episode is over")
