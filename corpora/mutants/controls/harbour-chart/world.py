"""A bar chart of two kinds of fish, and a question about amounts."""

import io
import random
import re
from decimal import Decimal

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT, LEFT, TOP, BASE = 440, 300, 52, 40, 268
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
COLOURS = {"cod": (25, 45, 120), "herring": (235, 125, 20)}
INK, PAPER, GRID = (20, 20, 20), (252, 252, 248), (205, 205, 205)
NUMBER = re.compile(
    r"(?:about\s+)?([0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?)\s*(?:t|tons|tonnes)?\.?",
    re.IGNORECASE,
)


class InvalidAction(Exception):
    """Refused; nothing has changed."""


class HarbourChart:
    """`reward` is 1.0 after an answer within ten per cent."""

    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} harbour")
        self._top: int = task["top"]
        first = rng.randint(0, 12 - task["months"])
        self._months = MONTHS[first : first + task["months"]]
        low = self._top // 5
        self._landed = {fish: [rng.randint(low, self._top) for _ in self._months] for fish in COLOURS}
        fish, month = rng.choice(list(COLOURS)), rng.randrange(len(self._months))
        if task["ask"] == "one":
            self._question = f"How many tonnes of {fish} were landed in {self._months[month]}?"
            self._true = self._landed[fish][month]
        elif task["ask"] == "both":
            self._question = f"How many tonnes of cod and herring together were landed in {self._months[month]}?"
            self._true = sum(landed[month] for landed in self._landed.values())
        else:
            self._question = f"How many tonnes of {fish} were landed in all the months of the chart together?"
            self._true = sum(self._landed[fish])
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return self._question

    def look(self) -> list[str | bytes]:
        self._check_open()
        with io.BytesIO() as file:
            self._chart().save(file, "PNG")
            text = f"The chart, {WIDTH} x {HEIGHT} pixels; tonnes of fish by month, cod dark blue, herring orange."
            return [text, file.getvalue()]

    def answer(self, text: str) -> str:
        self._check_open()
        match = NUMBER.fullmatch(text.strip())
        if not match:
            raise InvalidAction('that is not an amount as it can be read; write a number, such as "about 9 t"')
        away = abs(Decimal(match[1].replace(",", "")) - self._true)
        self.done = True
        self.reward = 1.0 if 10 * away <= self._true else 0.0
        return "Right, within 10 per cent." if self.reward else "Wrong, more than 10 per cent off."

    def _chart(self) -> Image.Image:
        picture = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
        pen, font = ImageDraw.Draw(picture), ImageFont.load_default(13)
        for part in range(6):
            value = self._top * part // 5
            y = self._height(value)
            pen.line((LEFT, y, WIDTH - 8, y), fill=GRID)
            pen.text((LEFT - 6, y), f"{value:,}", INK, font, anchor="rm")
        for place, (fish, colour) in enumerate(COLOURS.items()):
            pen.rectangle((LEFT + 110 * place, 12, LEFT + 110 * place + 12, 24), fill=colour)
            pen.text((LEFT + 110 * place + 18, 18), f"{fish}, t", INK, font, anchor="lm")
        step = (WIDTH - 8 - LEFT) // len(self._months)
        for number, month in enumerate(self._months):
            x = LEFT + number * step + 4
            bar = (step - 8) // 2
            for place, (fish, colour) in enumerate(COLOURS.items()):
                top = self._height(self._landed[fish][number])
                pen.rectangle((x + place * bar, top, x + place * bar + bar - 2, BASE), fill=colour)
            pen.text((x + bar, BASE + 6), month, INK, font, anchor="mt")
        pen.line((LEFT, BASE, WIDTH - 8, BASE), fill=INK)
        return picture

    def _height(self, value: int) -> int:
        return BASE - round((BASE - TOP) * value / self._top)

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("an answer was given; the episode is over")
