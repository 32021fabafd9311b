"""OBS: whether an agent has to look at the pictures that it is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from skill_tools.checks.check import BEFORE, check, warn
from skill_tools.checks.needs import PROBED, REFERENCE, TOOLS
from skill_tools.checks.reading.episodes import named
from skill_tools.evidence.deciding import decided, point_of, whole_numbers
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory

LEAST, MUCH, RISING = 3, 0.5, 5
"""Tasks that must be told in words, their share of those that were played, and tasks whose order is no accident."""


@check(
    "OBS007",
    "picture-not-needed",
    fix="leave out of texts what the picture is to show, such as where things are",
    needs=[REFERENCE],
    after=["DET001", "ISO001", "ISO005", "ISO006"],
    level="warn",
)
def picture_not_needed(evidence: Evidence) -> Iterator[Hit]:
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
    elif evidence.pictured and (shown := _rising(oracle.values())):
        yield warn(f"{shown}: over the tasks these numbers rise with the places that are clicked")


def _rising(solved: Iterable[Trajectory]) -> str:
    """What is said of the first thing to be clicked, if its numbers rise with the place; else ""."""
    found: list[tuple[tuple[int, int], list[int], str]] = []
    for each in solved:
        paid = next((n for n, step in enumerate(each.steps) if step.reward > 0), 0)
        point = point_of(each.steps[paid].arguments) if each.steps else None
        numbers, text = _said_of_first(each, paid)
        if point and numbers:
            found.append((point, numbers, f"{named(each)}: {text!r}"))
    if len(found) < RISING:
        return ""
    count = min(len(numbers) for _, numbers, _ in found)
    across, down = (
        any(
            _in_order([(point[axis], numbers[at]) for point, numbers, _ in found])
            for at in range(count)
        )
        for axis in (0, 1)
    )
    return found[0][2] if across and down else ""


def _said_of_first(each: Trajectory, paid: int) -> tuple[list[int], str]:
    """The numbers behind the first words of the opening that are said again before the first pay."""
    opening = str(each.prompt[-1].get("content")) if each.prompt else ""
    shown = "\n".join(step.text for step in each.steps[:paid])
    words = re.findall(r"[a-z]+", opening.lower())
    for one, other in pairwise(words):
        for said in re.finditer(rf"\b{one} {other}\b[^;\n]{{0,60}}", shown.lower()):
            if len(numbers := re.findall(r"\d+", said[0])) > 1:
                return [int(number) for number in numbers], said[0]
    return [], ""


def _in_order(pairs: list[tuple[int, int]]) -> bool:
    """Whether the second numbers rise with the first; with so few of them different it says nothing."""
    told = [number for _, number in sorted(pairs)]
    return told == sorted(told) and len(set(told)) >= LEAST


def _place(given: Any) -> list[int]:
    """The whole numbers of a call's arguments, if there are two or more."""
    numbers = list(whole_numbers(given).values())
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
    needs=[PROBED],
    after=["DET001", "ISO001", "EPI001", "RES004", "OBS002", "OBS003"],
    level="warn",
)
def shape_not_hit(evidence: Evidence) -> Iterator[Hit]:
    """Where a click on a shape pays, it does so near each of the shape's ends.

    Otherwise what is drawn is not what is judged: upside down, too large, or a little beside.
    """
    found = evidence.probed.attempts.get("same-shape", [])
    missed = [
        each
        for each in found
        if each.trajectory.steps
        and each.trajectory.steps[-1].reward <= 0
        and not each.trajectory.failure
    ]
    if len({each.of for each in missed}) > 1:
        yield (
            f"{missed[0].words}, on {missed[0].of}: it paid nothing, on the same shape as the oracle's "
            f"({len(missed)} of {len(found)})"
        )


_COSTS = re.compile(
    r"\b(?:every|each|any|a) (?:tool )?(?:call|action|look|move)\b[^.]{0,50}\b(?:turn|costs?|counts?|uses?|spends?)\b"
    r"|\blook\w*[^.]{0,60}\b(?:costs?|counts?|uses?|spends?|turns?)\b",
    re.IGNORECASE,
)


@check(
    "OBS004",
    "look-shows-the-old",
    fix="draw and tell the world anew at each look",
    needs=[PROBED],
    after=BEFORE,
    level="warn",
)
def look_shows_the_old(evidence: Evidence) -> Iterator[Hit]:
    """A look after a call that paid shows another picture than the one before it.

    A model that looks would believe that nothing has happened.
    """
    stale = fresh = 0
    shown = ""
    for each in evidence.probed.attempts.get("look-between", []):
        pictures = [_picture_of(step.text) for step in each.trajectory.steps if not step.error]
        kept = [picture for picture in pictures if picture]
        paid = sum(step.reward > 0 for step in each.trajectory.steps[:-1])
        if len(kept) > 1 and paid:
            stale, fresh = stale + (len(set(kept)) == 1), fresh + (len(set(kept)) > 1)
            shown = (
                f"{each.words}, on {each.of}: the picture stays the same though {paid} calls paid"
            )
    if stale > 1 and not fresh:
        yield shown


@check(
    "OBS006",
    "looking-costs",
    fix="let a look cost nothing but its turn, or say in the tool's description what it costs",
    needs=[PROBED, TOOLS],
    after=BEFORE,
)
def looking_costs(evidence: Evidence) -> Iterator[Hit]:
    """Looking uses up nothing that the rules count, unless its description says so.

    A model that looks before it acts, as it should, would lose by it.
    """
    described = " ".join(str(tool.get("description", "")) for tool in evidence.declaration.tools)
    if _COSTS.search(f"{evidence.declaration.prompt or ''} {described}"):
        return
    lost = [
        each
        for each in evidence.probed.attempts.get("look-first", [])
        if each.compared
        and None not in (each.trajectory.total, each.compared.total)
        and each.trajectory.end == "terminated"
        and each.trajectory.total < each.compared.total - 1e-9
    ]
    for each in lost[:1]:
        if len(lost) > 1:
            yield (
                f"{each.words}, on {each.of}: the solution after looks returned {each.trajectory.total:g}, "
                f"and without {each.compared.total:g}"
            )


def _picture_of(text: str) -> str:
    found = re.search(r"\[image (\w+)\]", text)
    return found[1] if found else ""


CHECKS = (
    picture_not_needed,
    shape_not_hit,
    look_shows_the_old,
    looking_costs,
)
