"""Convert a model's coordinates to pixels of the screen."""

from __future__ import annotations

import base64
import io
import re
from dataclasses import dataclass
from typing import Any

from .. import env_spec

SIZE: tuple[int, int] = env_spec.DISPLAY["size"]
"""Width and height of the screen in pixels."""

THOUSANDTHS = 1000


@dataclass(frozen=True)
class Space:
    """A screen in a model's coordinates.

    Attributes:
        size: The maximum x and y in the model's coordinates: the screen's size for pixels, 1000 by 1000 for
            thousandths, or the size of a smaller picture.
        picture: The size of the picture that the model sees.
    """

    size: tuple[int, int]
    picture: tuple[int, int]

    def to_screen(self, point: Any) -> Any:
        """Return a model's point in pixels. A point on the screen's edge becomes the nearest point on the screen.

        A point outside the screen stays outside, so that the environment refuses it. A value that is not a
        point is passed on unchanged.
        """
        if not (isinstance(point, list) and len(point) == len(SIZE)):
            return point
        if not all(isinstance(part, int | float) and not isinstance(part, bool) for part in point):
            return point
        return [_scaled(*each) for each in zip(point, self.size, SIZE, strict=True)]

    def from_screen(self, point: tuple[int, int]) -> list[int]:
        """Convert a point from pixels to the model's coordinates."""
        pairs = zip(point, SIZE, self.size, strict=True)
        return [round(value * there / here) for value, here, there in pairs]

    def shown(self, block: dict[str, Any]) -> dict[str, Any]:
        """Return an image block for the model, scaled down if the model's picture is smaller than the screen."""
        if self.picture == SIZE:
            return block
        from PIL import Image

        with Image.open(io.BytesIO(base64.b64decode(block["data"]))) as image:
            scaled = image.convert("RGB").resize(self.picture, Image.Resampling.LANCZOS)
        file = io.BytesIO()
        scaled.save(file, "PNG")
        data = base64.b64encode(file.getvalue()).decode()
        return {"type": "image", "media_type": "image/png", "data": data}


def space(name: str) -> Space:
    """Return the coordinate space with this name: pixels, thousandths, or a size such as 1280x800.

    Raises ValueError for any other name, and for a size that is larger than the screen.
    """
    if name == "pixels":
        return Space(SIZE, SIZE)
    if name == "thousandths":
        return Space((THOUSANDTHS, THOUSANDTHS), SIZE)
    found = re.fullmatch(r"(\d{2,5})x(\d{2,5})", name)
    if not found:
        raise ValueError(
            f"{name!r} is not a coordinate space: write pixels, thousandths, or a size as 640x480"
        )
    size = int(found[1]), int(found[2])
    if size[0] > SIZE[0] or size[1] > SIZE[1]:
        screen = f"{SIZE[0]}x{SIZE[1]}"
        raise ValueError(
            f"a picture of {name} is larger than the screen, which has {screen} pixels"
        )
    return Space(size, size)


def _scaled(value: float, there: int, here: int) -> int:
    pixel = round(value * here / there)
    return here - 1 if value in (there, there - 1) and pixel >= here - 1 else pixel
