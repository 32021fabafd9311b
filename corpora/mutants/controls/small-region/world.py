"""A map of countries on a grid; any square of the one that is asked for is right."""

import io
import random

from PIL import Image, ImageDraw

COLUMNS, ROWS, SIDE = 10, 8, 40
COLOURS = (
    (196, 40, 40), (30, 90, 200), (250, 210, 40), (40, 140, 60), (130, 60, 160),
    (245, 140, 30), (120, 210, 230), (60, 60, 60), (240, 170, 200), (140, 95, 50),
)  # fmt: skip
LINE = (200, 200, 200)
SQUARES = [(column, row) for column in range(COLUMNS) for row in range(ROWS)]
WORDS = ("smallest", "second smallest")


class InvalidAction(Exception):
    """Refused; nothing has changed."""


def grown(rng: random.Random, countries: int) -> dict[tuple[int, int], int]:
    """Each square with its country, all grown from one square each at their own pace."""
    owner = {square: number for number, square in enumerate(rng.sample(SQUARES, countries))}
    held = [[square] for square in owner]
    pace = [rng.uniform(0.15, 1.0) for _ in range(countries)]
    while len(owner) < len(SQUARES):
        number = rng.choices(range(countries), pace)[0]
        column, row = rng.choice(held[number])
        across, down = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
        near = (column + across, row + down)
        if 0 <= near[0] < COLUMNS and 0 <= near[1] < ROWS and near not in owner:
            owner[near] = number
            held[number].append(near)
    return owner


class SmallRegion:
    """`reward` is 1.0 after a click on the right country."""

    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} map")
        count = task["countries"]
        sizes: list[int] = []
        while not sizes or sizes[0] < 3 or not sizes[0] < sizes[1] < sizes[2]:
            self._owner = grown(rng, count)
            belongs = list(self._owner.values())
            order = sorted(range(count), key=belongs.count)
            sizes = [belongs.count(number) for number in order]
        self._colours = rng.sample(COLOURS, count)
        self._wanted = order[task["rank"] - 1]
        self._word = WORDS[task["rank"] - 1]
        self._count = count
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"The map has {self._count} countries. Click on any square of the {self._word} one."

    def look(self) -> list[str | bytes]:
        self._check_open()
        picture = Image.new("RGB", (COLUMNS * SIDE, ROWS * SIDE), LINE)
        pen = ImageDraw.Draw(picture)
        for (column, row), number in self._owner.items():
            x, y = column * SIDE, row * SIDE
            pen.rectangle((x + 1, y + 1, x + SIDE - 1, y + SIDE - 1), fill=self._colours[number])
        with io.BytesIO() as file:
            picture.save(file, "PNG")
            text = f"The map, {picture.width} x {picture.height} pixels, x to the right and y downwards from 0."
            return [text, file.getvalue()]

    def click(self, x: int, y: int) -> str:
        self._check_open()
        self.done = True
        right = self._owner[x // SIDE, y // SIDE] == self._wanted
        self.reward = 1.0 if right else 0.0
        return f"That country {'is' if right else 'is not'} the {self._word} one."

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("the click was made; the episode is over")
