"""OBS: whether an agent has to look at the pictures that it is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from skill_tools.checks.check import check, warn
from skill_tools.checks.played import named
from skill_tools.play.evidence import Evidence
from skill_tools.play.trajectory import Trajectory
from skill_tools.play.trials import decided

LEAST, MUCH = 3, 0.5
"""Tasks that must be told in words, and their share of those that were played."""


@check(
    "OBS007",
    "picture-not-needed",
    fix="leave out of texts what the picture is to show, such as where things are",
    needs=["reference"],
    after=["DET001", "ISO001", "ISO005", "ISO006"],
    level="warn",
)
def picture_not_needed(evidence: Evidence) -> Iterator[str]:
    """Where pictures are shown, no text has the place that the deciding call names.

    A model reads it there, and nothing is learned of looking.
    """
    oracle = (evidence.reference or {}).get("oracle", {})
    told: dict[str, str] = {}
    for each in evidence.pictured:
        given = decided(oracle[each.label]) if each.label in oracle else {}
        place = _place(given)
        if place and each.label not in told and (text := _says(each, place)):
            told[each.label] = f"{named(each)}: {text!r} has the place of {given}"
    if len(told) >= max(LEAST, len(oracle) * MUCH):
        yield warn(f"{next(iter(told.values()))} ({len(told)} of {len(oracle)} tasks)")


def _place(given: Any) -> list[int]:
    """The whole numbers of a call's arguments, if there are two or more."""
    values = given.values() if isinstance(given, dict) else ()
    numbers = [v for v in values if isinstance(v, int) and not isinstance(v, bool)]
    return numbers if len(numbers) > 1 else []


def _says(trajectory: Trajectory, place: list[int]) -> str:
    """What was shown beside a picture and has the numbers of a place near each other, or "".

    Once the agent has said them itself, they may be told back.
    """
    near = r"\D{1,12}".join(rf"(?<!\d){number}(?!\d)" for number in place)
    shown = [str(message.get("content")) for message in trajectory.prompt]
    for step in trajectory.steps:
        if _place(step.arguments) == place:
            break
        shown.append(step.text)
    found = next(filter(None, (re.search(rf".{{0,30}}{near}", text) for text in shown)), None)
    return found[0] if found else ""


@check(
    "OBS008",
    "shape-not-hit",
    fix="draw a shape and judge clicks on it by the same geometry",
    needs=["explored"],
    after=["DET001", "ISO001", "EPI001", "OBS002", "OBS003"],
    level="warn",
)
def shape_not_hit(evidence: Evidence) -> Iterator[str]:
    """Where a click on a shape pays, it does so near each of the shape's ends.

    Otherwise what is drawn is not what is judged: upside down, too large, or a little beside.
    """
    found = evidence.explored.tried.get("same-shape", [])
    missed = [
        each
        for each in found
        if each.trajectory.steps
        and each.trajectory.steps[-1].reward <= 0
        and not each.trajectory.failure
    ]
    if len({each.of for each in missed}) > 1:
        yield (
            f"{missed[0].what}, on {missed[0].of}: it paid nothing, on the same shape as the oracle's "
            f"({len(missed)} of {len(found)})"
        )


CHECKS = (picture_not_needed, shape_not_hit)
