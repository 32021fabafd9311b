"""A dark museum: find the mask and bring it to the door, past guards that walk about at random."""

import random

MOVES = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
SIGHT = 2
LIVES = 2

Place = tuple[int, int]


class InvalidAction(Exception):
    """The way is blocked or the night is over; the agent is told why and may try again."""


def steps(a: Place, b: Place) -> int:
    """Steps between two places if nothing stood in the way."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def beside(place: Place, floor: set[Place]) -> list[Place]:
    """The places next to one that are floor, in the order of MOVES."""
    around = [(place[0] + down, place[1] + right) for down, right in MOVES.values()]
    return [other for other in around if other in floor]


def in_one_piece(floor: set[Place]) -> bool:
    """Whether every place of the floor can be reached from every other."""
    todo, seen = [min(floor)], {min(floor)}
    while todo:
        for other in beside(todo.pop(), floor):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return len(seen) == len(floor)


class NightMuseum:
    """One night. `reward` is 1.0 once the mask is brought to the door, else 0.0."""

    def __init__(self, task: dict, seed: int) -> None:
        """Build a museum of `task["size"]` rows and columns with `task["guards"]` guards."""
        self.size: int = task["size"]
        self._rng = random.Random(seed)
        every = [(row, column) for row in range(self.size) for column in range(self.size)]
        self.door: Place = (0, 0)
        self._floor = set(every)
        for place in self._rng.sample(every[1:], len(every) - 1)[: self.size * self.size // 4]:
            rest = self._floor - {place}
            if all(in_one_piece(rest - {other}) for other in rest):  # always a way round a guard
                self._floor = rest
        far = [place for place in every if place in self._floor and steps(place, self.door) > SIGHT + 1]
        self._mask, *guards = self._rng.sample(far, task["guards"] + 1)
        self._guards: list[Place] = guards
        self.place = self.door
        self.carries = False
        self.lives = LIVES
        self.turn = 0
        self._seen: set[Place] = set()
        self._look_around()
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        """The map as far as it is known."""
        return f"The museum has {self.size} rows and {self.size} columns.\n{self._view('You stand at the door.')}"

    def move(self, direction: str) -> str:
        """Walk one step; then the guards walk."""
        down, right = MOVES[direction]
        to = (self.place[0] + down, self.place[1] + right)
        if self.done:
            raise InvalidAction("The night is over.")
        if to not in self._floor:
            what = "a wall" if min(to) >= 0 and max(to) < self.size else "the end of the museum"
            raise InvalidAction(f"You cannot go {direction}: there is {what}. No turn has passed.")
        self.place = to
        return self._pass(f"You went {direction}.")

    def wait(self) -> str:
        """Stay; the guards walk."""
        if self.done:
            raise InvalidAction("The night is over.")
        return self._pass("You waited.")

    def valid_calls(self) -> list[tuple[str, dict]]:
        """Every call that is accepted now."""
        if self.done:
            return []
        ways = [
            ("move", {"direction": direction})
            for direction, (down, right) in MOVES.items()
            if (self.place[0] + down, self.place[1] + right) in self._floor
        ]
        return [*ways, ("wait", {})]

    def _pass(self, news: str) -> str:
        """What follows a step: the mask, the door, the guards."""
        self.turn += 1
        if self.place in self._guards:
            news += self._lose_life()
        elif self.place == self._mask and not self.carries:
            self.carries = True
            news += " You take the mask."
        if self.place == self.door and self.carries and not self.done:
            self.reward, self.done = 1.0, True
            news += " You are out with the mask: you win!"
        if not self.done:
            self._guards = [self._walk(guard) for guard in self._guards]
            if self.place in self._guards:
                news += self._lose_life()
        self._look_around()
        return self._view(news)

    def _walk(self, guard: Place) -> Place:
        """Where a guard goes: to a free place beside it, never to the door."""
        ways = [place for place in beside(guard, self._floor) if place != self.door]
        return self._rng.choice(ways) if ways else guard

    def _lose_life(self) -> str:
        """Take a life and flee to the door, or end the night."""
        self.lives -= 1
        if not self.lives:
            self.done = True
            return " A guard catches you for the second time: you lose."
        left = " The mask is back where it was." if self.carries else ""
        self.place, self.carries = self.door, False
        return f" A guard catches you; you slip away to the door.{left}"

    def _look_around(self) -> None:
        every = [(row, column) for row in range(self.size) for column in range(self.size)]
        self._seen.update(place for place in every if steps(place, self.place) <= SIGHT)

    def _mark(self, place: Place) -> str:
        if place == self.place:
            return "@"
        if place in self._guards and steps(place, self.place) <= SIGHT:
            return "G"
        if place == self.door:
            return "D"
        if place not in self._seen:
            return "?"
        if place == self._mask and not self.carries:
            return "M"
        return "." if place in self._floor else "#"

    def _view(self, news: str) -> str:
        rows = [
            " ".join(self._mark((row, column)) for column in range(self.size))
            for row in range(self.size)
        ]
        mask = "You carry the mask." if self.carries else "You do not have the mask."
        return "\n".join([news, *rows, f"{mask} Lives: {self.lives}. Turns passed: {self.turn}."])
