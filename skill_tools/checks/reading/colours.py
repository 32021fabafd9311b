"""The colors of pictures: which colors occur, how different they look, and the background at a point."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from skill_tools.evidence.images.pictures import opened

Colour = tuple[int, int, int]
Point = tuple[int, int]
MOST = 4096
"""Maximum number of colors in a picture of flat colors."""


class Painted:
    """A picture and its colors.

    ``counted`` holds the number of pixels of each color, the most frequent color first.
    """

    def __init__(self, plain: Any, counted: list[tuple[int, Colour]]) -> None:
        self.size: tuple[int, int] = plain.size
        self.pixels: int = plain.width * plain.height
        self.counted = sorted(counted, reverse=True)
        self._plain = plain

    @property
    def ground(self) -> Colour | None:
        """The color of more than half of the pixels, or None."""
        count, colour = self.counted[0]
        return colour if count * 2 > self.pixels else None

    def at(self, point: Point) -> Colour | None:
        """Return the color of a pixel, or None if the point is outside the picture."""
        inside = all(0 <= place < most for place, most in zip(point, self.size, strict=True))
        return self._plain.getpixel(point) if inside else None

    def adjacent(self, point: Point) -> Colour | None:
        """Return the nearest color to the left of a pixel that differs from the pixel's own color."""
        row = (self._plain.getpixel((x, point[1])) for x in range(point[0], -1, -1))
        return next((colour for colour in row if colour != self.at(point)), None)


@lru_cache(maxsize=64)
def painted(data: str) -> Painted | None:
    """Decode a base64 picture.

    Return None if decoding fails or if the picture has too many colors, like a photograph.
    """
    with opened(data) as picture:
        plain = picture and picture.convert("RGB")
        counted = plain and plain.getcolors(MOST)
        return Painted(plain, counted) if counted else None


def apart(one: Colour, other: Colour) -> float:
    """Return how different two colors look, according to T. Riemersma's "redmean" (www.compuphase.com/cmetric.htm)."""
    mean = (one[0] + other[0]) / 2
    red, green, blue = (a - b for a, b in zip(one, other, strict=True))
    return math.sqrt((2 + mean / 256) * red**2 + 4 * green**2 + (2 + (255 - mean) / 256) * blue**2)
