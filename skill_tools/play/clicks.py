"""Clicks on shapes that the oracle leaves alone, found in the pictures that it was shown; as trials."""

from __future__ import annotations

import base64
import io
from collections import Counter
from collections.abc import Iterator
from typing import Any

from skill_tools.play.trajectory import Trajectory
from skill_tools.play.trials import TASKS, Ground, Trial, as_trial

MOST_PIXELS, LEAST, SHAPES = 200_000, 30, 6
"""Pixels of a picture that is looked at, and of a shape; shapes of a picture that are clicked."""
Pixels = set[tuple[int, int]]


def other_shapes(ground: Ground) -> Iterator[Trial]:
    """The first call that was paid for a place, with the middle of a shape that no call of the oracle names."""
    for each in ground.solved[:TASKS]:
        shown = ""
        for place, step in enumerate(each.steps):
            given = step.arguments if isinstance(step.arguments, dict) else {}
            if shown and step.reward > 0 and _point(given):
                clicked = {point for s in each.steps if (point := _point(s.arguments))}
                for x, y in _middles(shown, clicked):
                    before = [(s.tool, s.arguments) for s in each.steps[:place]]
                    call = (step.tool, {**given, "x": x, "y": y})
                    if ground.allows(*call):
                        yield as_trial("other-shape", "another shape", each, [*before, call])
                break
            shown = _picture(each, place) or shown


def _point(given: Any) -> tuple[int, int] | None:
    if not isinstance(given, dict) or not {"x", "y"} <= set(given):
        return None
    x, y = given["x"], given["y"]
    return (x, y) if isinstance(x, int) and isinstance(y, int) else None


def _picture(each: Trajectory, place: int) -> str:
    blocks = each.steps[place].observation
    return next((str(b["data"]) for b in blocks if b.get("type") == "image" and b.get("data")), "")


def _middles(data: str, clicked: Pixels) -> Iterator[tuple[int, int]]:
    """A point on each large shape of one colour that has none of some points."""
    # Only here: most environments show no picture.
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(base64.b64decode(data, validate=True))) as picture:
            width, height = picture.size
            if width * height > MOST_PIXELS:
                return
            raw = picture.convert("RGB").tobytes()
    except (OSError, ValueError, SyntaxError, UnidentifiedImageError):
        return
    colours = {(at % width, at // width): raw[3 * at : 3 * at + 3] for at in range(width * height)}
    ((ground, _),) = Counter(colours.values()).most_common(1)
    left = {point for point, colour in colours.items() if colour != ground}
    shapes: list[Pixels] = []
    while left:
        shape = _grow(left.pop(), colours, left)
        if len(shape) >= LEAST and not shape & clicked:
            shapes.append(shape)
    for shape in sorted(shapes, key=len, reverse=True)[:SHAPES]:
        x, y = (sum(point[axis] for point in shape) / len(shape) for axis in (0, 1))
        yield min(shape, key=lambda point: (abs(point[0] - x) + abs(point[1] - y), point))


def _grow(first: tuple[int, int], colours: dict[tuple[int, int], bytes], left: Pixels) -> Pixels:
    """The pixels of one colour that hang together with one; they are taken out of ``left``."""
    shape, edge = {first}, [first]
    while edge:
        x, y = edge.pop()
        for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if near in left and colours[near] == colours[first]:
                left.discard(near)
                shape.add(near)
                edge.append(near)
    return shape
