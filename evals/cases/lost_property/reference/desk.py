"""A store of lost things, and an owner who answers by keywords."""

import random

KINDS = ("umbrella", "bag", "scarf", "hat")
COLOURS = ("red", "blue", "green", "black")
PLACES = ("bus", "park", "school", "station")
OF_A_KIND = 4
"""Things of each kind, whether the owner's is among them or not."""


class InvalidAction(Exception):
    """An action that is not allowed. The model gets the reason and may try again."""


class LostProperty:
    """One owner. The reward is 1 for handing over the correct thing, or for saying truly that it is not here."""

    def __init__(self, task: dict, seed: int) -> None:
        self.reward = 0.0
        self.done = False
        rng = random.Random(seed)
        self.kind = rng.choice(KINDS)
        self.colour, *colours = rng.sample(COLOURS, len(COLOURS))
        self.place, *places = rng.sample(PLACES, len(PLACES))
        # Two of the colour and two of the place, in any case: one fact alone tells nothing.
        near = [(self.colour, places[0]), (colours[0], self.place)]
        if task["here"]:
            near += [(self.colour, self.place), (colours[1], places[1])]
        else:
            near += [(self.colour, places[1]), (colours[1], self.place)]
        things = [(colour, self.kind, place) for colour, place in near]
        every = [(colour, place) for colour in COLOURS for place in PLACES]
        for kind in KINDS:
            if kind != self.kind:
                chosen = rng.sample(every, OF_A_KIND)
                things += [(colour, kind, place) for colour, place in chosen]
        numbers = rng.sample(range(10, 100), len(things))
        self.things = dict(sorted(zip(numbers, things, strict=True)))

    @property
    def own(self) -> int | None:
        """The number of the owner's thing, or None if it is not in the store."""
        lost = (self.colour, self.kind, self.place)
        return next((number for number, thing in self.things.items() if thing == lost), None)

    def observe(self) -> str:
        return f"OWNER: I lost my {self.kind}."

    def message(self, text: str) -> str:
        words = text.lower()
        if "not here" in words:
            return self._ended(self.own is None)
        if "colour" in words:
            return f"COLOUR: {self.colour}"
        if "place" in words:
            return f"PLACE: {self.place}"
        return "OWNER: What do you want to know?"

    def search(self, kind: str) -> str:
        self._check_open()
        found = [
            f"THING {number}: {colour} {kind}, {place}"
            for number, (colour, each, place) in self.things.items()
            if each == kind
        ]
        return "\n".join(found) or "THING: none"

    def hand_over(self, number: int) -> str:
        self._check_open()
        if number not in self.things:
            raise InvalidAction(f"there is no thing {number} in the store")
        return self._ended(number == self.own)

    def _ended(self, right: bool) -> str:
        self.done, self.reward = True, float(right)
        return f"VERDICT: {'right' if right else 'wrong'}"

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("the owner has left")
