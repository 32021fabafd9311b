"""Looks at the panel and measures the red needles in the picture.

The way each face is turned is taken from the world; the values are measured.
"""

import io
import re

from PIL import Image

from .panel import DialPanel
from .picture import NEEDLE, RED, Dial


def measure(picture: Image.Image, dial: Dial) -> int:
    """The value whose needle tip is the reddest."""

    def red(value: int) -> int:
        return sum(
            picture.getpixel(tuple(round(part) for part in dial.point(value, radius))) == RED
            for radius in range(NEEDLE - 26, NEEDLE + 1)
        )

    counts = {value: red(value) for value in range(101)}
    best = [value for value, count in counts.items() if count >= max(counts.values()) - 1]
    return round(sum(best) / len(best))


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """A look, and the answer."""
    world = DialPanel(task, seed)
    picture = Image.open(io.BytesIO(world.look()[1])).convert("RGB")
    asked = re.findall(r"\b[A-F]\b", world.observe())
    values = [measure(picture, dial) for dial in world._dials if dial.name in asked]
    answer = abs(values[0] - values[1]) if task["question"] == "gap" else sum(values)
    return [("look", {}), ("answer", {"value": answer})]
