"""OBS: whether observations show the world as it is, in distinguishable colors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

from skill_tools.checks.check import Hit, Place, Status, check, skip
from skill_tools.checks.needs import ORACLE_PICTURES, REFERENCE
from skill_tools.checks.reading.colours import Colour, apart, painted
from skill_tools.checks.reading.episodes import named
from skill_tools.evidence.calls import point_of
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.images.pictures import opened
from skill_tools.evidence.trajectory import Trajectory

NEAR = 24
"""Sum of differences in red, green and blue (0 to 255 each) below which colors look the same."""
NEAR_CLICKED = 60.0
"""Distance (``colours.apart``) below which a clicked color is too close to another to find."""
FEW_COLOURS = 24
"""Maximum number of colors in a drawing; a picture with more is a photograph or has shades."""
AREA = 0.002
"""Minimum share of the pixels for a color in a drawing; less is a dot or a smoothed edge."""
_SIZE = re.compile(
    r"(\d+) ?(?:px|pixels?) wide(?: and|,)? (\d+) ?(?:px|pixels?) high|(\d{2,4}) ?(?:x|\u00d7) ?(\d{2,4}) pixels",
    re.IGNORECASE,
)
"""A picture's width and height in pixels, as texts state them."""


@check(
    "OBS001",
    "colours-alike",
    fix="use clearly different colors, not shades of one color, for things that the agent must distinguish",
    needs=[REFERENCE, ORACLE_PICTURES],
    level="warn",
)
def colours_alike(evidence: Evidence) -> Iterator[Hit]:
    """In a drawing of few colors, no two colors are nearly the same, and click targets differ clearly in color.

    Neither a model nor a person can distinguish nearly equal colors. The check also compares targets of different
    tasks: one task may ask for navy and another for blue. Targets must also differ clearly from the background.
    """
    if evidence.declaration.tolerance:
        yield skip("the colors on a screen come from other people's programs")
        return
    drawn = False
    for trajectory, _, block in _pictures(evidence):
        colours = _colours(block["data"])
        if not colours or len(colours) > FEW_COLOURS:
            continue
        drawn = True
        for one, other in combinations(colours, 2):
            if sum(abs(a - b) for a, b in zip(one, other, strict=True)) < NEAR:
                message = f"{named(trajectory)}: a picture has the colors {one} and {other}"
                yield Hit(message, trajectory, Place(task=trajectory.label))
                return
    if not drawn:
        yield skip("no picture is a drawing of a few flat colors")
    elif not evidence.declaration.runs_programs:
        yield from _clicked_alike(evidence)


def _clicked_alike(evidence: Evidence) -> Iterator[Hit]:
    """Yield a hit for each rewarded click whose target has nearly the color of another target or of the background."""
    clicked: dict[Colour, tuple[Trajectory, Colour | None]] = {}
    for trajectory, _, picture, point in _paid_clicks(evidence):
        shown = painted(picture)
        colour = shown.at(point) if shown and len(_colours(picture)) <= FEW_COLOURS else None
        if shown and colour:
            # An outline makes it visible.
            ground = shown.ground if shown.adjacent(point) == shown.ground else None
            clicked.setdefault(colour, (trajectory, ground))
    pairs = list(combinations(clicked, 2)) if len(clicked) <= FEW_COLOURS else []
    pairs += [(colour, ground) for colour, (_, ground) in clicked.items() if ground]
    for one, other in pairs:
        if 0 < apart(one, other) < NEAR_CLICKED:
            where = f"{named(clicked[other][0])} has" if other in clicked else "around it is"
            shows = clicked[one][0]
            message = f"{named(shows)}: the clicked target has the color {one}, and {where} {other}"
            yield Hit(message, shows, Place(task=shows.label))


@check(
    "OBS002",
    "nothing-where-it-paid",
    fix="judge clicks by the same coordinates and shapes that you draw, and draw everything that can be clicked",
    needs=[REFERENCE, ORACLE_PICTURES],
    after=["OBS001"],
)
def nothing_where_it_paid(evidence: Evidence) -> Iterator[Hit]:
    """A rewarded click lands on something drawn in the picture, not on its background.

    Otherwise the picture and the rules disagree: the picture is mirrored, x and y are swapped, or the target is
    drawn in the background color.
    """
    clicks = list(_paid_clicks(evidence))
    missed = [click for click in clicks if _on_background(click.picture, click.point)]
    if missed:
        trajectory, number, *_ = missed[0]
        message = (
            f"{named(trajectory)}: step {number} earned reward for "
            f"{trajectory.steps[number - 1].arguments}, "
            f"although the picture shows only background there ({len(missed)} of {len(clicks)} "
            "clicks)"
        )
        place = Place(task=trajectory.label, tool=trajectory.steps[number - 1].tool)
        level: Status | None = None if len(missed) * 2 >= len(clicks) else "warn"
        yield Hit(message, trajectory, place, level)
    elif not any(_ground(click.picture) for click in clicks):
        yield skip("no click earned reward on a picture that has a background of one color")


@check(
    "OBS003",
    "size-contradicts",
    fix="state the width first, and use the picture's real size",
    needs=[REFERENCE, ORACLE_PICTURES],
)
def size_contradicts(evidence: Evidence) -> Iterator[Hit]:
    """A picture has the size that the accompanying text states.

    Otherwise an agent that clicks at fractions of the width misses its target.
    """
    compared = False
    for trajectory, text, block in _pictures(evidence):
        found = _SIZE.search(text)
        with opened(block["data"]) as picture:
            if found and picture is not None:
                compared = True
                said = tuple(int(each) for each in found.groups() if each)
                if said != picture.size:
                    message = (
                        f"{named(trajectory)}: {found[0]!r}, "
                        f"but it is {picture.width} by {picture.height}"
                    )
                    yield Hit(message, trajectory, Place(task=trajectory.label))
                    return
    if not compared:
        yield skip("no text that accompanies a picture states its size")


def _pictures(evidence: Evidence) -> Iterator[tuple[Trajectory, str, dict[str, Any]]]:
    """Yield each picture of the oracle's episodes, with the text next to it."""
    for trajectory in (evidence.reference.episodes or {}).get("oracle", {}).values():
        for number, block in trajectory.pictures():
            text = trajectory.steps[number - 1].text if number else trajectory.question
            yield trajectory, text, block


class _Click(NamedTuple):
    """A rewarded click: its step, counted from 1, and the last picture before the click, in base64."""

    trajectory: Trajectory
    number: int
    picture: str
    point: tuple[int, int]


def _paid_clicks(evidence: Evidence) -> Iterator[_Click]:
    for trajectory in (evidence.reference.episodes or {}).get("oracle", {}).values():
        pictures = dict[int, str]()
        for number, block in trajectory.pictures():
            pictures.setdefault(number, str(block["data"]))
        for number, step in enumerate(trajectory.steps, 1):
            shown = next((pictures[at] for at in range(number)[::-1] if at in pictures), "")
            point = point_of(step.arguments)
            if shown and step.reward > 0 and point:
                yield _Click(trajectory, number, shown, point)


def _colours(data: str) -> list[Colour]:
    """Return the colors that cover more than a tiny share of a picture."""
    shown = painted(data)
    return [c for count, c in shown.counted if count >= shown.pixels * AREA] if shown else []


def _on_background(data: str, point: tuple[int, int]) -> bool:
    """Return whether a point has the background color, which covers more than half of the picture."""
    shown = painted(data)
    return bool(shown and shown.ground and shown.at(point) == shown.ground)


def _ground(data: str) -> Colour | None:
    shown = painted(data)
    return shown.ground if shown else None


CHECKS = (
    colours_alike,
    nothing_where_it_paid,
    size_contradicts,
)
