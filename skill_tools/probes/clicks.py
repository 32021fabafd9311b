"""Trials with clicks on other points of a rewarded shape, and on shapes that the oracle never clicks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from skill_tools.evidence.calls import point_of
from skill_tools.evidence.images.pictures import opened
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.probes.probe import TASKS, ProbeContext, Trial, as_trial

MOST_PIXELS = 200_000
"""Maximum pixels in a picture: Python assembles shapes slowly, pixel by pixel."""
LEAST = 30
"""Minimum pixels of a shape; a smaller one is a letter or an edge."""
SHAPES = 8
"""Maximum shapes of a picture to click, the largest first: each click is an episode."""
INSIDE = 0.3
"""Position of a click between a shape's end and its middle: well inside the shape, but near the end."""
Point = tuple[int, int]
Pixels = set[Point]


def shape_clicks(ground: ProbeContext) -> Iterator[Trial]:
    """Yield clicks on other points of each rewarded shape.

    For the first rewarded shape, also yield clicks on shapes that the solution never clicks.
    """
    for each in ground.solved[:TASKS]:
        shown = next((str(b["data"]) for at, b in each.pictures() if at == 0), "")
        clicked = {found for s in each.steps if (found := point_of(s.arguments))}
        for place, step in enumerate(each.steps):
            point = point_of(step.arguments)
            if shown and step.reward > 0 and point:
                before = [(s.tool, s.arguments) for s in each.steps[:place]]
                for kind, (x, y) in _places(shown, point, clicked):
                    call = (step.tool, {**step.arguments, "x": x, "y": y})
                    if ground.allows(*call):
                        yield as_trial(kind, f"click at {x}, {y}", each, [*before, call])
                clicked = set()  # try the others only once
            shown = _picture(each, place) or shown


def _picture(each: Trajectory, place: int) -> str:
    blocks = each.steps[place].observation
    return next((str(b["data"]) for b in blocks if b.get("type") == "image" and b.get("data")), "")


def _places(data: str, own: Point, clicked: Pixels) -> Iterator[tuple[str, Point]]:
    """Yield points near the four ends of the clicked shape, and one point on each of the other large shapes."""
    shapes = _shapes(data)
    taken = [_box(shape) for shape in shapes if shape & clicked]
    taken += [(*point, *point) for point in clicked]
    for shape in shapes:
        x, y = (sum(point[axis] for point in shape) / len(shape) for axis in (0, 1))
        if own in shape:
            ends = [pick(shape, key=key) for key in (_across, _down) for pick in (min, max)]
            inside = ((round(a + INSIDE * (x - a)), round(b + INSIDE * (y - b))) for a, b in ends)
            yield from (("same-shape", point) for point in inside if point in shape)
        elif clicked and not _part_of(_box(shape), taken):
            middle = min(shape, key=lambda point: (abs(point[0] - x) + abs(point[1] - y), point))
            yield "other-shape", middle


def _box(shape: Pixels) -> tuple[int, int, int, int]:
    across, down = ({point[axis] for point in shape} for axis in (0, 1))
    return min(across), min(down), max(across), max(down)


def _within(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Return whether a box is inside another box, such as the box of a dot drawn on a shape."""
    return other[0] <= one[0] and other[1] <= one[1] and one[2] <= other[2] and one[3] <= other[3]


def _part_of(box: tuple[int, ...], taken: Iterable[tuple[int, ...]]) -> bool:
    """Return whether a shape's box lies inside the box of an already clicked shape, or contains such a box."""
    return any(_within(box, each) or _within(each, box) for each in taken)


def _across(point: Point) -> Point:
    return point


def _down(point: Point) -> Point:
    return point[::-1]


def _shapes(data: str) -> list[Pixels]:
    """Return the largest single-color shapes in a picture, without the background."""
    with opened(data) as picture:
        if picture is None or picture.width * picture.height > MOST_PIXELS:
            return []
        width, height = picture.size
        raw = picture.convert("RGB").tobytes()
    colours = {(at % width, at // width): raw[3 * at : 3 * at + 3] for at in range(width * height)}
    ((ground, _),) = Counter(colours.values()).most_common(1)
    left = {point for point, colour in colours.items() if colour != ground}
    shapes: list[Pixels] = []
    while left:
        shapes.append(_grow(left.pop(), colours, left))
    large = (shape for shape in shapes if len(shape) >= LEAST)
    return sorted(large, key=len, reverse=True)[:SHAPES]


def _grow(first: Point, colours: dict[Point, bytes], left: Pixels) -> Pixels:
    """Return the pixels connected to ``first`` that have the same color, and remove them from ``left``."""
    shape, edge = {first}, [first]
    while edge:
        x, y = edge.pop()
        for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if near in left and colours[near] == colours[first]:
                left.discard(near)
                shape.add(near)
                edge.append(near)
    return shape
