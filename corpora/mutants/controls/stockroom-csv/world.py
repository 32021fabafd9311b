"""A stockroom whose list is CSV and whose records are JSON, with all signs that need quoting."""

import csv
import io
import json
import random

SECTIONS = ("<A&B>", 'C "cold"', "D, outside", "E's corner")
THINGS = ("Nuts & bolts", "Pipe, bent", 'Screen "Eco"', "Hose <soft>", "Tape {wide}", "Filter \\ dry", "Lamp; blue", "O'Neil clamp")
SIZES = ('6"', "<5 mm", ">= 2 kg", "50%", "n/a", "[XL]", "A&B", "#7", "'old'", "1,5 l", "&amp;", "$9")
PER_PAGE = 6


class InvalidAction(Exception):
    """Refused; nothing has changed."""


class Stockroom:
    """`reward` is half for the name and half for the number."""

    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} stock")
        self.pages: int = task["pages"]
        count = self.pages * PER_PAGE
        names = rng.sample([f"{thing}, {size}" for thing in THINGS for size in SIZES], count)
        prices = rng.sample(range(150, 9900), count)
        sections = [*SECTIONS, *SECTIONS, *rng.choices(SECTIONS, k=count - 2 * len(SECTIONS))]
        rng.shuffle(sections)
        self.rows = []
        for number, (name, price, section) in enumerate(zip(names, prices, sections, strict=True)):
            stock = rng.randint(5, 90)
            row = {"sku": f"K-{101 + number}", "name": name, "section": section}
            row |= {"price": f"{price / 100:.2f}", "stock": stock, "reserved": rng.randint(0, stock)}
            self.rows.append(row)
        self.section = rng.choice(SECTIONS)
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return (
            f"The list has {self.pages} pages. The section is: {self.section}\n"
            "Which of its articles has the highest price, and how many free pieces have its articles in all?"
        )

    def read_page(self, page: int) -> str:
        self._check_open()
        if page > self.pages:
            raise InvalidAction(f"the list has {self.pages} pages; there is no page {page}")
        with io.StringIO() as text:
            writer = csv.DictWriter(text, ["sku", "name", "section", "price", "stock"], extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.rows[(page - 1) * PER_PAGE : page * PER_PAGE])
            return text.getvalue()

    def record(self, sku: str) -> str:
        self._check_open()
        row = next((row for row in self.rows if row["sku"] == sku), None)
        if row is None:
            raise InvalidAction(f"there is no article {sku}; the pages hold every sku")
        return json.dumps({key: row[key] for key in ("sku", "name", "reserved")})

    def answer(self, name: str, free: int) -> str:
        self._check_open()
        mine = [row for row in self.rows if row["section"] == self.section]
        dearest = max(mine, key=lambda row: float(row["price"]))
        named = name.strip() == dearest["name"]
        counted = free == sum(row["stock"] - row["reserved"] for row in mine)
        self.done = True
        self.reward = (named + counted) / 2
        return f"The name is {'right' if named else 'wrong'}, the number is {'right' if counted else 'wrong'}."

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("an answer was given; the episode is over")
