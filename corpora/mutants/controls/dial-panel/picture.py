"""Dials on a panel, as PNG bytes; the same lines are drawn larger for a part of it."""

import io
import math
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 480, 360
CELL_WIDTH, CELL_HEIGHT = 160, 180
PART = 160  # a zoom shows a square of so many pixels
LARGER = 3
RING, TICK, LABEL, NEEDLE = 52, 43, 66, 42
NAMES = "ABCDEF"
BACKGROUND = (246, 246, 240)
INK = (25, 25, 30)
RED = (190, 20, 20)


@dataclass(frozen=True)
class Dial:
    """A dial that shows `value`, 0 to 100; `turn` is where its face begins, in degrees."""

    name: str
    value: int
    turn: int

    def centre(self) -> tuple[int, int]:
        """Its middle in pixels of the whole picture."""
        row, column = divmod(NAMES.index(self.name), 3)
        return column * CELL_WIDTH + CELL_WIDTH // 2, row * CELL_HEIGHT + 84

    def point(self, value: float, radius: float) -> tuple[float, float]:
        """The point so far from the middle in the direction of a value; the scale runs clockwise."""
        angle = math.radians(135 + self.turn + 2.7 * value)
        x, y = self.centre()
        return x + radius * math.cos(angle), y + radius * math.sin(angle)


def draw(dials: list[Dial], left: int = 0, top: int = 0, scale: int = 1) -> bytes:
    """The whole panel, or with a scale the part that begins at (left, top), anew and larger."""
    size = (WIDTH, HEIGHT) if scale == 1 else (PART * scale, PART * scale)
    picture = Image.new("RGB", size, BACKGROUND)
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(12 * scale)

    def at(point: tuple[float, float]) -> tuple[float, float]:
        return (point[0] - left) * scale, (point[1] - top) * scale

    for dial in dials:
        x, y = at(dial.centre())
        ring = RING * scale
        pen.ellipse((x - ring, y - ring, x + ring, y + ring), outline=INK, width=2 * scale)
        for value in range(0, 101, 10):
            pen.line((at(dial.point(value, TICK)), at(dial.point(value, RING))), INK, 2 * scale)
            if value % 20 == 0:
                pen.text(at(dial.point(value, LABEL)), str(value), INK, font, anchor="mm")
        pen.line(((x, y), at(dial.point(dial.value, NEEDLE))), RED, 2 * scale)
        hub = 4 * scale
        pen.ellipse((x - hub, y - hub, x + hub, y + hub), fill=RED)
        pen.text((x, y + 84 * scale), f"dial {dial.name}", INK, font, anchor="mm")
    with io.BytesIO() as file:
        picture.save(file, "PNG")
        return file.getvalue()
