"""A picture of shapes; those with a dot are to be marked, in any order."""

import io
import random
from itertools import product

from PIL import Image, ImageDraw

WIDTH, HEIGHT, CELL = 240, 180, 48
KINDS = ("square", "circle", "diamond")
COLOURS = ((150, 20, 30), (0, 90, 50), (30, 50, 150), (40, 40, 40), (100, 30, 120))
PAPER, WHITE, FRAME = (238, 234, 220), (255, 255, 255), (255, 140, 0)
SPARE = 2


class InvalidAction(Exception):
    """Refused; nothing has changed."""


class Shape:
    """A shape around (x, y), with a spot that is its own way off the middle."""

    def __init__(self, rng: random.Random, cell: tuple[int, int], spot: str, off: int) -> None:
        self.kind, self.colour, self.spot = rng.choice(KINDS), rng.choice(COLOURS), spot
        self.radius = rng.randint(17, 20)
        self.x = cell[0] * CELL + rng.randint(self.radius + 2, CELL - self.radius - 3)
        self.y = 16 + cell[1] * CELL + rng.randint(self.radius + 2, CELL - self.radius - 3)
        self.off = (rng.randint(-off, off), rng.randint(-off, off))
        self.marked = False

    def holds(self, x: int, y: int) -> bool:
        right, down = abs(x - self.x), abs(y - self.y)
        if self.kind == "circle":
            return right**2 + down**2 <= self.radius**2
        return (right + down if self.kind == "diamond" else max(right, down)) <= self.radius

    def draw(self, picture: Image.Image) -> None:
        for y, x in product(range(self.y - self.radius, self.y + self.radius + 1), range(self.x - self.radius, self.x + self.radius + 1)):
            if self.holds(x, y):
                picture.putpixel((x, y), self.colour)
        pen = ImageDraw.Draw(picture)
        x, y = self.x + self.off[0], self.y + self.off[1]
        if self.spot == "dot":
            pen.ellipse((x - 5, y - 5, x + 5, y + 5), fill=WHITE)
        elif self.spot == "ring":
            pen.ellipse((x - 6, y - 6, x + 6, y + 6), outline=WHITE, width=2)
        elif self.spot == "cross":
            pen.rectangle((x - 6, y - 1, x + 6, y + 1), fill=WHITE)
            pen.rectangle((x - 1, y - 6, x + 1, y + 6), fill=WHITE)
        if self.marked:
            reach = self.radius + 1
            pen.rectangle((self.x - reach, self.y - reach, self.x + reach, self.y + reach), outline=FRAME, width=2)


class MarkDotted:
    """`reward` is the share of the dotted shapes that are marked."""

    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} dots")
        dotted = rng.randint(*task["dotted"])
        spots = ["dot"] * dotted + rng.choices(task["others"], k=task["shapes"] - dotted)
        cells = rng.sample(list(product(range(5), range(3))), len(spots))
        self._shapes = [Shape(rng, cell, spot, task["off"]) for cell, spot in zip(cells, spots, strict=True)]
        self.targets = self._shapes[:dotted]
        self.clicks_left = dotted + SPARE
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"There are {len(self._shapes)} shapes, {len(self.targets)} of them with a dot. {self._status()}"

    def look(self) -> list[str | bytes]:
        self._check_open()
        picture = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
        for shape in self._shapes:
            shape.draw(picture)
        with io.BytesIO() as file:
            picture.save(file, "PNG")
            text = f"The picture, {WIDTH} x {HEIGHT} pixels, x to the right and y downwards from 0. {self._status()}"
            return [text, file.getvalue()]

    def mark(self, x: int, y: int) -> str:
        self._check_open()
        shape = next((shape for shape in self._shapes if shape.holds(x, y)), None)
        if shape and shape.marked:
            raise InvalidAction(f"the shape at {x}, {y} is marked already; mark another one")
        self.clicks_left -= 1
        if shape in self.targets:
            shape.marked = True
            news = "Marked a dotted shape."
        else:
            news = "That shape has no dot." if shape else "There is no shape."
        hits = sum(target.marked for target in self.targets)
        self.reward = hits / len(self.targets)
        self.done = hits == len(self.targets) or not self.clicks_left
        return f"{news} {self._status()}"

    def _status(self) -> str:
        hits = sum(target.marked for target in self.targets)
        return f"Marked: {hits} of {len(self.targets)}. Clicks left: {self.clicks_left}."

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("the episode is over")
