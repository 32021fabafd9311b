"""OBS: whether observations come in a form that a model reads."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any

from skill_tools.checks.check import check
from skill_tools.checks.played import named
from skill_tools.play.evidence import Evidence
from skill_tools.play.pictures import NoPictureError, TooLargeError, decode, opened, read_base64
from skill_tools.play.trajectory import Trajectory
from skill_tools.play.trials import point_of

_HTML = "escapes of HTML"
_RAW = re.compile(r"[<>]|&(?!\w+;|#)")
"""What would be escaped as well, so that escapes beside it are what is meant."""
_FOR_MACHINES = {
    "a picture written as letters": r"data:image/[\w.+-]+;base64,",
    _HTML: r"&(?:amp|lt|gt|quot|apos|nbsp|#\d{2,5}|#x[0-9a-fA-F]{2,5});",
    "escapes of JSON": r"\\u[0-9a-fA-F]{4}",
    "colours of a terminal": r"\x1b\[[\d;]*m",
    "the name of a Python object": r"<[\w.]+ (?:object )?at 0x[0-9a-fA-F]+>|<(?:class|function|enum) '?[\w.]+",
    "a Python value as its code": r"\b(?:dict_(?:keys|values|items)\(\[|PosixPath\('|Decimal\('|Counter\(\{|"
    r"defaultdict\(<|datetime\.\w+\(\d|np\.\w+\d+\()",
}
_LONG = re.compile(r"\b[A-Za-z0-9+/]{400,}={0,2}")
LETTERS = 20
"""Different letters that a code of hundreds has at least, and a word that is repeated has not."""
_MAGIC = {"image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8", "image/webp": b"RIFF"}


@check(
    "OBS009",
    "text-for-machines",
    fix="return words as a person would read them, and a picture as PNG bytes of its own",
    needs=["played"],
    after=["DET001", "ISO001", "EPI001"],
    level="warn",
)
def text_for_machines(evidence: Evidence) -> Iterator[str]:
    """No text of an observation is written for a program: escaped, encoded, or an object's name.

    A model that copies it into its next call is refused, or reads letters in the place of a picture.
    """
    if evidence.declaration.runs_programs:
        return  # what programs print is theirs
    told: set[str] = set()
    read: set[str] = set()
    several = evidence.every_bare or evidence.every
    accepted = (step.text for each in several for step in each.steps if not step.error)
    mixed = any(_RAW.search(text) and re.search(_FOR_MACHINES[_HTML], text) for text in accepted)
    for trajectory in several:
        said = f"{evidence.declaration.prompt or ''} {evidence.declaration.tools}"
        texts = [str(message.get("content", "")) for message in trajectory.prompt]
        shown = [("the opening", "", "\n".join(texts))]
        shown += [
            (f"step {number}", repr(step.arguments), step.text)
            for number, step in enumerate(trajectory.steps, 1)
        ]
        for where, arguments, text in shown:
            said += arguments
            if text in read:
                continue
            read.add(text)
            for what, found in _for_machines(text):
                # What the agent wrote, or was told of, may be told back.
                if what not in told and found[0] not in said and not (what == _HTML and mixed):
                    told.add(what)
                    yield f"{named(trajectory)}: {where} has {what}: {_around(found)!r}"


def _for_machines(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    for what, pattern in _FOR_MACHINES.items():
        if found := re.search(pattern, text):
            yield what, found
    for found in _LONG.finditer(text):
        if len(set(found[0])) > LETTERS:
            yield "a long code", found


def _around(found: re.Match[str]) -> str:
    return found.string[max(0, found.start() - 20) : found.start() + 40]


@check(
    "OBS010",
    "picture-is-none",
    fix="encode pictures as PNG: image.save(buffer, 'PNG')",
    needs=["played"],
    after=["DET001", "ISO001", "EPI001"],
)
def picture_is_none(evidence: Evidence) -> Iterator[str]:
    """Every picture is of the kind that it is announced as, and can be decoded.

    Endpoints refuse the whole request for one that is not.
    """
    told: set[str] = set()
    for trajectory in evidence.every:
        for number, block in _pictures(trajectory):
            kind, data = block.get("media_type", ""), block.get("data", "")
            if problem := _problem(str(kind), str(data)):
                if problem not in told:
                    yield f"{named(trajectory)}: the picture of step {number} {problem}"
                told.add(problem)
            if len(told) > 2 or not problem:
                break  # one of each episode


def _pictures(trajectory: Trajectory) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, step in enumerate(trajectory.steps, 1):
        for block in step.observation:
            if block.get("type") == "image" and block.get("data"):
                yield number, block


def _problem(kind: str, data: str) -> str:
    """What is wrong with a picture, or ""."""
    try:
        raw = read_base64(data)
        if kind in _MAGIC and not raw.startswith(_MAGIC[kind]):
            return f"is announced as {kind}, and begins with {raw[:8]!r}"
        decode(data).close()
    except TooLargeError:
        return ""  # what it is was not looked at
    except NoPictureError as error:
        return str(error)
    return ""


@check(
    "OBS011",
    "colour-hard-to-tell",
    fix="draw what has to be told apart in colours that are far from each other",
    needs=["reference"],
    after=["DET001", "ISO001", "EPI001", "OBS010"],
    level="warn",
)
def colour_hard_to_tell(evidence: Evidence) -> Iterator[str]:
    """What is clicked does not have nearly the colour of something else that is, nor of the background.

    Nobody tells navy from blue in a picture, and the task asks for one of them.
    """
    if evidence.declaration.runs_programs:
        return
    clicked: dict[Colour, str] = {}
    grounds: dict[Colour, Colour | None] = {}
    for each in (evidence.reference or {}).get("oracle", {}).values():
        data = ""
        for step in each.steps:
            point = point_of(step.arguments)
            if data and point and step.reward > 0 and (colour := _colour_at(data, point)):
                clicked.setdefault(colour, each.label)
                grounds.setdefault(colour, _ground(data, point))
            shown = (str(b["data"]) for b in step.observation if b.get("type") == "image")
            data = next(filter(None, shown), data)
    if len(clicked) > PALETTE:
        return  # shades, as of a photograph
    for one, other in combinations(sorted(clicked), 2):
        if _apart(one, other) < ALIKE:
            yield (
                f"what is clicked on {clicked[one]} is {_hex(one)}, and on {clicked[other]} "
                f"{_hex(other)}, which is nearly the same"
            )
    for colour, ground in grounds.items():
        if ground and _apart(colour, ground) < ALIKE:
            yield f"what is clicked on {clicked[colour]} is {_hex(colour)}, on a background of {_hex(ground)}"


Colour = tuple[int, int, int]
PALETTE, ALIKE = 16, 60.0
"""Colours that are clicked, above which they are shades; how far two must be apart."""


@lru_cache(maxsize=64)
def _flat(data: str) -> Any:
    """A picture of few colours, or None."""
    with opened(data) as picture:
        found = picture and picture.convert("RGB")
        return found if found and found.getcolors(COLOURS) else None


COLOURS = 64
"""Colours of a picture that is drawn, and no photograph."""


def _colour_at(data: str, point: tuple[int, int]) -> Colour | None:
    picture = _flat(data)
    within = picture and 0 <= point[0] < picture.width and 0 <= point[1] < picture.height
    return picture.getpixel(point) if within else None


def _ground(data: str, point: tuple[int, int]) -> Colour | None:
    """The colour of most of a flat picture, if it is next to what a place is on; a line around that may be seen."""
    picture = _flat(data)
    _, ground = max(picture.getcolors(COLOURS))
    colour = picture.getpixel(point)
    left = (picture.getpixel((x, point[1])) for x in range(point[0], -1, -1))
    return ground if next((each for each in left if each != colour), None) == ground else None


def _apart(one: Colour, other: Colour) -> float:
    """How far apart two colours look, by T. Riemersma's "redmean" (www.compuphase.com/cmetric.htm)."""
    mean = (one[0] + other[0]) / 2
    red, green, blue = (a - b for a, b in zip(one, other, strict=True))
    return math.sqrt((2 + mean / 256) * red**2 + 4 * green**2 + (2 + (255 - mean) / 256) * blue**2)


def _hex(colour: Colour) -> str:
    return "#" + bytes(colour).hex()


CHECKS = (text_for_machines, picture_is_none, colour_hard_to_tell)
