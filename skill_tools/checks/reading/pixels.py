"""Compare pictures in observations by their pixels, regardless of compression."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from skill_tools.evidence.images.pictures import opened


def as_pixels(value: Any) -> Any:
    """Replace the data of every picture by a digest of its pixels.

    Pixels are compared as RGBA, 8 bits each. A picture keeps its bytes if it cannot be decoded, is too large, is
    animated, or has more than 8 bits per channel.
    """
    if isinstance(value, list):
        return [as_pixels(each) for each in value]
    if (
        isinstance(value, dict)
        and value.get("type") == "image"
        and isinstance(value.get("data"), str)
    ):
        return {**value, "data": _digest(value["data"])}
    return value


UNCHANGED = "The screen has not changed."
"""The note that rl-env-sandbox writes in place of an unchanged picture."""


@dataclass(frozen=True, eq=False)
class View:
    """The model's view after a step: the texts, and the screen as last shown.

    Two views are equal if their texts are equal and the share of different pixels is within the tolerance. For
    example, a clock on the screen then does not count as a difference.
    """

    texts: tuple[str, ...]
    pictures: tuple[str, ...]
    tolerance: float

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        if self.texts != other.texts or len(self.pictures) != len(other.pictures):
            return False
        pairs = zip(self.pictures, other.pictures, strict=True)
        return all(_share(*pair) <= self.tolerance for pair in pairs)

    def __repr__(self) -> str:
        return f"{list(self.texts)} and the screen" if self.pictures else repr(list(self.texts))


def views(steps: Sequence[Any], tolerance: float) -> list[View]:
    """Return the view at each step. A step whose text says that nothing changed keeps the last picture."""
    found: list[View] = []
    last: tuple[str, ...] = ()
    for blocks in steps:
        texts = [block["text"] for block in blocks if block.get("type") == "text"]
        pictures = tuple(block["data"] for block in blocks if block.get("type") == "image")
        same = not pictures and any(text.endswith(UNCHANGED) for text in texts)
        words = (text.removesuffix(UNCHANGED).strip() for text in texts)
        last = pictures or last
        shown = last if same else pictures
        found.append(View(tuple(text for text in words if text), shown, tolerance))
    return found


@lru_cache(maxsize=4096)
def _share(one: str, other: str) -> float:
    """Return the share of pixels in which two pictures differ, or 1.0 if the pictures cannot be compared."""
    if one == other:
        return 0.0
    from PIL import ImageChops

    with opened(one) as left, opened(other) as right:
        if left is None or right is None or left.size != right.size:
            return 1.0
        changed = ImageChops.difference(left.convert("RGB"), right.convert("RGB"))
        # The largest of the three channels: a pixel differs if any of them does.
        red, green, blue = changed.split()
        most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
        total: int = left.width * left.height
        unchanged = most.histogram()[0]
        return (total - unchanged) / total


@lru_cache(maxsize=256)
def _digest(data: str) -> str:
    with opened(data) as picture:
        if picture is None:
            return data
        pixels = picture.convert("RGBA")
    found = hashlib.sha256(repr(pixels.size).encode())
    found.update(pixels.tobytes())
    return f"pixels {found.hexdigest()}"
