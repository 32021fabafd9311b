"""A town, a van and three parcels."""

import random

STOPS = "ABCDEFGHIJ"
PARCELS = (1, 2, 3)
HOLDS = 2


class InvalidAction(Exception):
    """Refused; nothing has changed."""


def shortest(streets: dict, start: str, parcels: dict) -> list[tuple[str, dict]]:
    """The calls of a round that uses the least fuel."""
    first = (start, ("waits",) * len(PARCELS))
    ways, ring = {first: []}, [first]
    for state in ring:
        at, are = state
        way, are = list(ways[state]), list(are)
        for number in PARCELS:
            if are[number - 1] == "held" and parcels[number][1] == at:
                way.append(("drop", {"parcel": number}))
                are[number - 1] = "there"
        if are.count("there") == len(PARCELS):
            return way
        # Everything that fits is taken, or else passed by: both are tried.
        choices = [(way, are)]
        for number in PARCELS:
            for done, states in list(choices):
                if states[number - 1] == "waits" and parcels[number][0] == at and states.count("held") < HOLDS:
                    after = [*states]
                    after[number - 1] = "held"
                    choices.append(([*done, ("pick", {"parcel": number})], after))
        for done, states in choices:
            for stop in sorted(streets[at]):
                new = (stop, tuple(states))
                if new not in ways:
                    ways[new] = [*done, ("go", {"stop": stop})]
                    ring.append(new)
    raise LookupError("no round")


class Round:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} round {task['spare']}")
        self.streets: dict[str, set[str]] = {stop: set() for stop in STOPS}
        order = rng.sample(STOPS, len(STOPS))
        pairs = [(order[n], rng.choice(order[max(0, n - 3) : n])) for n in range(1, len(order))]
        for one, other in [*pairs, *(rng.sample(STOPS, 2) for _ in range(4))]:
            self.streets[one].add(other)
            self.streets[other].add(one)
        self.parcels = {number: tuple(rng.sample(STOPS, 2)) for number in PARCELS}
        self.at = rng.choice(STOPS)
        plan = shortest(self.streets, self.at, self.parcels)
        self.fuel = sum(name == "go" for name, _ in plan) + task["spare"]
        self.held: set[int] = set()
        self.delivered: set[int] = set()
        self.done = False

    @property
    def reward(self) -> float:
        return len(self.delivered) / len(PARCELS)

    def observe(self) -> str:
        town = [f"{stop}: {', '.join(sorted(self.streets[stop]))}" for stop in STOPS]
        parcels = [f"Parcel {n}: from {a} to {b}" for n, (a, b) in self.parcels.items()]
        return "\n".join(["Streets:", *town, *parcels, self._state()])

    def go(self, stop: str) -> str:
        self._check_open()
        if stop not in self.streets[self.at]:
            raise InvalidAction(f"there is no street from {self.at} to {stop}")
        if not self.fuel:
            raise InvalidAction("there is no fuel left")
        self.at = stop
        self.fuel -= 1
        return self._state()

    def pick(self, parcel: int) -> str:
        self._check_open()
        if parcel in self.held | self.delivered or self.parcels[parcel][0] != self.at:
            raise InvalidAction(f"parcel {parcel} does not wait at {self.at}")
        if len(self.held) == HOLDS:
            raise InvalidAction(f"the van holds {HOLDS} parcels already")
        self.held.add(parcel)
        return self._state()

    def drop(self, parcel: int) -> str:
        self._check_open()
        if parcel not in self.held:
            raise InvalidAction(f"parcel {parcel} is not in the van")
        if self.parcels[parcel][1] != self.at:
            raise InvalidAction(f"parcel {parcel} does not go to {self.at}")
        self.held.remove(parcel)
        self.delivered.add(parcel)
        self.done = len(self.delivered) == len(PARCELS)
        return self._state()

    def park(self) -> str:
        self._check_open()
        self.done = True
        return "The round is over."

    def _state(self) -> str:
        held = ", ".join(map(str, sorted(self.held))) or "nothing"
        gone = ", ".join(map(str, sorted(self.delivered))) or "none"
        return f"You are at {self.at}. Fuel: {self.fuel}. In the van: {held}. Delivered: {gone}."

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("the round is over")
