"""An archive of deeds that can be searched by a word."""

import random
import re

FIELDS = ("Ashcroft", "Briarley", "Coldwell", "Dunmore", "Elmhurst", "Foxholt", "Gorsey")
PEOPLE = ("Abbot", "Barker", "Carver", "Draper", "Eaton", "Fuller", "Glover", "Harper", "Ironside", "Joiner", "Kember", "Lorimer", "Mercer", "Napier")
SHOWN = 7


class InvalidAction(Exception):
    """Refused; nothing has changed."""


class Archive:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} deeds")
        fields = rng.sample(FIELDS, task["fields"])
        texts, chains = [], {}
        for field in fields:
            count = rng.randint(4, 7)
            years = sorted(rng.sample(range(1701, 1800), count))
            owners = rng.sample(PEOPLE, count + 1)
            chains[field] = list(zip(years, owners[1:], strict=True))
            for year, giver, taker in zip(years, owners, owners[1:]):
                texts.append(f"Deed of {year}. The field {field} passes from {giver} to {taker}.")
        self._deeds = dict(zip(rng.sample(range(100, 1000), len(texts)), texts, strict=True))
        self.field = rng.choice(fields)
        chain = chains[self.field]
        place = rng.randrange(1, len(chain) - 1)
        self._owner = chain[place][1]
        self.year = rng.randrange(chain[place][0], chain[place + 1][0])
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"The archive has {len(self._deeds)} deeds. Who owned {self.field} in {self.year}?"

    def search(self, word: str) -> str:
        self._check_open()
        wanted = word.lower()
        found = sorted(
            number
            for number, text in self._deeds.items()
            if wanted in re.findall(r"[a-z0-9]+", text.lower())
        )
        if not found:
            return "No deed holds this word."
        return f"Deeds in all: {len(found)}. Numbers: {', '.join(map(str, found[:SHOWN]))}."

    def open(self, deed: int) -> str:
        self._check_open()
        if deed not in self._deeds:
            raise InvalidAction(f"the archive has no deed {deed}")
        return f"{deed}: {self._deeds[deed]}"

    def answer(self, name: str) -> str:
        self._check_open()
        self.done = True
        self.reward = 1.0 if name.strip().lower() == self._owner.lower() else 0.0
        return "Right." if self.reward else "Wrong."

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("an answer was given; the episode is over")
