"""OBS: whether what is shown is what there is, and can be told apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

from skill_tools.checks.check import check, warn
from skill_tools.checks.reading.colours import Colour, apart, painted
from skill_tools.checks.reading.episodes import named
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.pictures import opened
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.play.probes.probe import point_of

BEFORE = ["DET001", "ISO001", "EPI001"]
NEAR, NEAR_CLICKED, FEW_COLOURS, AREA = 24, 60.0, 24, 0.002
"""How near two colours are that cannot be told apart, and two that are to be; colours of a drawing; the least share of
one."""
COUNTERS = {
    "step",
    "turn",
    "move",
    "round",
    "guess",
    "guesse",
    "attempt",
    "level",
    "task",
    "page",
    "question",
}
"""Words before a number that counts what happened, and not what there is."""
_COSTS = re.compile(
    r"\b(?:every|each|any|a) (?:tool )?(?:call|action|look|move)\b[^.]{0,50}\b(?:turn|costs?|counts?|uses?|spends?)\b"
    r"|\blook\w*[^.]{0,60}\b(?:costs?|counts?|uses?|spends?|turns?)\b",
    re.IGNORECASE,
)
_SIZE = re.compile(
    r"(\d+) ?(?:px|pixels?) wide(?: and|,)? (\d+) ?(?:px|pixels?) high|(\d{2,4}) ?(?:x|\u00d7) ?(\d{2,4}) pixels",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"(?P<nouns>\b[a-z]+(?: and an? [a-z]+)?) (?:of|from|between) (?P<low>\d+) (?:to|and) (?P<high>\d+)\b",
    re.IGNORECASE,
)


@check(
    "OBS001",
    "colours-alike",
    fix="draw what is to be told apart in colours that differ by more than a shade",
    needs=["reference"],
    after=BEFORE,
    level="warn",
)
def colours_alike(evidence: Evidence) -> Iterator[str]:
    """No drawing of a few colours has two that are nearly the same; what is clicked is further from others.

    Neither a model nor a person can tell what is drawn in them apart. One task may ask for navy where
    another asks for blue, and what is asked for must not be nearly the background.
    """
    if evidence.declaration.tolerance:
        return  # a screen: its colours are those of other people's programs
    for trajectory, _, block in _pictures(evidence):
        colours = _colours(block["data"])
        if not colours or len(colours) > FEW_COLOURS:
            continue
        for one, other in combinations(colours, 2):
            if sum(abs(a - b) for a, b in zip(one, other, strict=True)) < NEAR:
                yield f"{named(trajectory)}: a picture has the colours {one} and {other}"
                return
    if not evidence.declaration.runs_programs:
        yield from _clicked_alike(evidence)


def _clicked_alike(evidence: Evidence) -> Iterator[str]:
    """What is clicked in the colour of something else that is clicked, or of the background, or nearly."""
    clicked: dict[Colour, tuple[Trajectory, Colour | None]] = {}
    for trajectory, _, picture, point in _paid_clicks(evidence):
        shown = painted(picture)
        colour = shown.at(point) if shown and len(_colours(picture)) <= FEW_COLOURS else None
        if shown and colour:
            # A line around it can be seen.
            ground = shown.ground if shown.beside(point) == shown.ground else None
            clicked.setdefault(colour, (trajectory, ground))
    pairs = list(combinations(clicked, 2)) if len(clicked) <= FEW_COLOURS else []
    pairs += [(colour, ground) for colour, (_, ground) in clicked.items() if ground]
    for one, other in pairs:
        if 0 < apart(one, other) < NEAR_CLICKED:
            where = f"{named(clicked[other][0])} has" if other in clicked else "around it is"
            yield f"{named(clicked[one][0])}: what is clicked has the colour {one}, and {where} {other}"


@check(
    "OBS002",
    "nothing-where-it-paid",
    fix="judge clicks by the same coordinates and shapes that are drawn, and draw all there is",
    needs=["reference"],
    after=[*BEFORE, "OBS001"],
)
def nothing_where_it_paid(evidence: Evidence) -> Iterator[str]:
    """A click that pays lands on something in the picture that was shown, not on its background.

    Otherwise picture and rules are of two worlds: mirrored, swapped, or drawn in the colour behind.
    """
    clicks = list(_paid_clicks(evidence))
    missed = [click for click in clicks if _on_background(click.picture, click.point)]
    if missed:
        trajectory, number, *_ = missed[0]
        message = (
            f"{named(trajectory)}: step {number} paid for {trajectory.steps[number - 1].arguments}, "
            f"where the picture shows only background ({len(missed)} of {len(clicks)} clicks)"
        )
        yield message if len(missed) * 2 >= len(clicks) else warn(message)


@check(
    "OBS003",
    "size-not-as-told",
    fix="tell the width first and as the picture has it",
    needs=["reference"],
    after=BEFORE,
)
def size_not_as_told(evidence: Evidence) -> Iterator[str]:
    """A picture has the size that the words beside it say.

    Whoever clicks by shares of the width is then beside what it means.
    """
    for trajectory, text, block in _pictures(evidence):
        found = _SIZE.search(text)
        with opened(block["data"]) as picture:
            if found and picture is not None:
                said = tuple(int(each) for each in found.groups() if each)
                if said != picture.size:
                    yield f"{named(trajectory)}: {found[0]!r}, but it is {picture.width} by {picture.height}"
                    return


@check(
    "OBS004",
    "look-shows-the-old",
    fix="draw and tell the world anew at each look",
    needs=["explored"],
    after=BEFORE,
    level="warn",
)
def look_shows_the_old(evidence: Evidence) -> Iterator[str]:
    """A look after a call that paid shows another picture than the one before it.

    A model that looks would believe that nothing has happened.
    """
    stale = fresh = 0
    shown = ""
    for each in evidence.explored.tried.get("look-between", []):
        pictures = [_picture_of(step.text) for step in each.trajectory.steps if not step.error]
        kept = [picture for picture in pictures if picture]
        paid = sum(step.reward > 0 for step in each.trajectory.steps[:-1])
        if len(kept) > 1 and paid:
            stale, fresh = stale + (len(set(kept)) == 1), fresh + (len(set(kept)) > 1)
            shown = (
                f"{each.what}, on {each.of}: the picture stays the same though {paid} calls paid"
            )
    if stale > 1 and not fresh:
        yield shown


@check(
    "OBS005",
    "number-out-of-words",
    fix="let the words and the generator have the same bounds",
    needs=["reference"],
    after=BEFORE,
)
def number_out_of_words(evidence: Evidence) -> Iterator[str]:
    """What observations count lies in the range that the words give it.

    A model that plans with `weights of 1 to 99` is surprised by 140, or never looks for it.
    """
    for trajectory in evidence.every_bare:
        opening = "\n".join(str(message.get("content")) for message in trajectory.prompt)
        for found in _RANGE.finditer(opening):
            low, high = int(found["low"]), int(found["high"])
            nouns = [n.lower() for n in found["nouns"].split() if len(n) > 3]
            nouns = [noun for noun in nouns if noun.rstrip("s") not in COUNTERS]
            for noun in nouns if high > low else ():
                stem = re.escape(noun.rstrip("s"))
                for step in trajectory.steps:
                    if step.error:
                        continue
                    for number in re.findall(
                        rf"\b{stem}s?[ :=]{{1,2}}(-?\d+)\b", step.text.lower()
                    ):
                        if not low <= int(number) <= high:
                            yield f"{named(trajectory)}: {noun} {number}, but the words say {found['low']} to {found['high']}"
                            return


@check(
    "OBS006",
    "looking-costs",
    fix="let a look cost nothing but its turn, or say in the tool's description what it costs",
    needs=["explored", "tools"],
    after=BEFORE,
)
def looking_costs(evidence: Evidence) -> Iterator[str]:
    """Looking uses up nothing that the rules count, unless its description says so.

    A model that looks before it acts, as it should, would lose by it.
    """
    described = " ".join(str(tool.get("description", "")) for tool in evidence.declaration.tools)
    if _COSTS.search(f"{evidence.declaration.prompt or ''} {described}"):
        return
    lost = [
        each
        for each in evidence.explored.tried.get("look-first", [])
        if each.beside
        and None not in (each.trajectory.total, each.beside.total)
        and each.trajectory.end == "terminated"
        and each.trajectory.total < each.beside.total - 1e-9
    ]
    for each in lost[:1]:
        if len(lost) > 1:
            yield (
                f"{each.what}, on {each.of}: the solution after looks returned {each.trajectory.total:g}, "
                f"and without {each.beside.total:g}"
            )


def _pictures(evidence: Evidence) -> Iterator[tuple[Trajectory, str, dict[str, Any]]]:
    """Each picture of the oracle's episodes, with the text beside it."""
    for trajectory in (evidence.reference or {}).get("oracle", {}).values():
        for step in trajectory.steps:
            for block in step.observation:
                if block.get("type") == "image":
                    yield trajectory, step.text, block


class _Click(NamedTuple):
    """A click that paid: its step, counted from 1, and the last picture before it, in base64."""

    trajectory: Trajectory
    number: int
    picture: str
    point: tuple[int, int]


def _paid_clicks(evidence: Evidence) -> Iterator[_Click]:
    """Each click of the oracle's that paid."""
    for trajectory in (evidence.reference or {}).get("oracle", {}).values():
        shown = ""
        for number, step in enumerate(trajectory.steps, 1):
            point = point_of(step.arguments)
            if shown and step.reward > 0 and point:
                yield _Click(trajectory, number, shown, point)
            pictures = (str(b["data"]) for b in step.observation if b.get("type") == "image")
            shown = next(filter(None, pictures), shown)


def _colours(data: str) -> list[Colour]:
    """The colours of a picture that cover more than a dot."""
    shown = painted(data)
    return [c for count, c in shown.counted if count >= shown.pixels * AREA] if shown else []


def _on_background(data: str, point: tuple[int, int]) -> bool:
    """Whether a place is on a picture's commonest colour, if that is half of it."""
    shown = painted(data)
    return bool(shown and shown.ground and shown.at(point) == shown.ground)


def _picture_of(text: str) -> str:
    found = re.search(r"\[image (\w+)\]", text)
    return found[1] if found else ""


CHECKS = (
    colours_alike,
    nothing_where_it_paid,
    size_not_as_told,
    look_shows_the_old,
    number_out_of_words,
    looking_costs,
)
