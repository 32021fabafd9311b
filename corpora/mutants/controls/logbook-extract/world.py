"""A page of a harbour's logbook, and a form about one of its ships."""

import random
from datetime import date, timedelta

SHIPS = ("Aurora", "Borealis", "Calypso", "Dorado", "Esperance", "Fulmar", "Gannet", "Halcyon")
PORTS = ("Antwerp", "Bergen", "Cork", "Dover", "Esbjerg", "Falmouth", "Gdansk", "Hull", "Inverness", "Kiel")
FIELDS = ("port", "tonnes", "berth", "sails")
SAID = {
    "port": "{ship} arrived from {value}.",
    "tonnes": "{ship} carries {value} tonnes.",
    "berth": "{ship} lies at berth {value}.",
    "sails": "{ship} sails on {value}.",
}
CORRECTED = {
    "port": "Correction: it was {value} that {ship} arrived from.",
    "tonnes": "Correction: {ship} carries {value} tonnes, as weighed again.",
    "berth": "Correction: {ship} was moved to berth {value}.",
    "sails": "Correction: {ship} will not sail before {value}, and sails then.",
}


class InvalidAction(Exception):
    """Refused; nothing has changed."""


def make_value(rng: random.Random, field: str) -> object:
    if field == "port":
        return rng.choice(PORTS)
    if field == "sails":
        return (date(2031, 1, 1) + timedelta(days=rng.randrange(365))).isoformat()
    return rng.randint(100, 9000) if field == "tonnes" else rng.randint(1, 40)


class Logbook:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} log")
        ships = rng.sample(SHIPS, task["ships"])
        self.ship = rng.choice(ships)
        truth: dict[tuple, object] = {}
        first, later = [], []
        for ship in ships:
            for field in FIELDS:
                value = truth[ship, field] = make_value(rng, field)
                first.append(SAID[field].format(ship=ship, value=value))
            for field in rng.sample(FIELDS, rng.randint(1, 2)):
                value = truth[ship, field] = make_value(rng, field)
                later.append(CORRECTED[field].format(ship=ship, value=value))
        rng.shuffle(first)
        rng.shuffle(later)
        self._lines = [*first, *later]
        self._right = {field: truth[self.ship, field] for field in FIELDS}
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return "\n".join([*self._lines, "", f"Fill in the form about {self.ship}."])

    def submit(self, port: str, tonnes: int, berth: int, sails: str) -> str:
        if self.done:
            raise InvalidAction("the form was handed in; the episode is over")
        try:
            day = date.fromisoformat(sails).isoformat()
        except ValueError:
            raise InvalidAction(f"{sails} is no date such as 2031-12-31; nothing was handed in") from None
        form = {"port": port.strip().title(), "tonnes": tonnes, "berth": berth, "sails": day}
        right = sum(form[field] == self._right[field] for field in FIELDS)
        self.reward = right / len(FIELDS)
        self.done = True
        return f"{right} of {len(FIELDS)} fields are right."
