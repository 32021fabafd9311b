"""OBS: whether observations have a format that a model can read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skill_tools.checks.check import Hit, Place, check, skip
from skill_tools.checks.needs import PLAYED, PLAYED_PICTURES, REFERENCE
from skill_tools.checks.reading.episodes import named
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.images.pictures import NoPictureError, TooLargeError, decode, read_base64

_HTML = "HTML escapes"
_JSON = "JSON escapes"
_RAW = re.compile(r"[<>]|&(?!\w+;|#)")
"""Characters that would also be escaped: if a text contains them, its escapes are intended."""
_FOR_MACHINES = {
    "a picture encoded as text": r"data:image/[\w.+-]+;base64,",
    _HTML: r"&(?:amp|lt|gt|quot|apos|nbsp|#\d{2,5}|#x[0-9a-fA-F]{2,5});",
    _JSON: r"\\u[0-9a-fA-F]{4}",
    "terminal color codes": r"\x1b\[[\d;]*m",
    "the repr of a Python object": r"<[\w.]+ (?:object )?at 0x[0-9a-fA-F]+>|<(?:class|function|enum) '?[\w.]+",
    "a Python value printed as code": r"\b(?:dict_(?:keys|values|items)\(\[|PosixPath\('|Decimal\('|Counter\(\{|"
    r"defaultdict\(<|datetime\.\w+\(\d|np\.\w+\d+\()",
}
_LONG = re.compile(r"\b[A-Za-z0-9+/]{400,}={0,2}")
LETTERS = 20
"""Minimum distinct letters in a code of hundreds of letters; a repeated word has fewer."""
_MAGIC = {"image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8", "image/webp": b"RIFF"}


@check(
    "OBS009",
    "text-for-machines",
    fix="return text as a person would read it, and each picture separately as PNG bytes",
    needs=[PLAYED],
    level="warn",
)
def text_for_machines(evidence: Evidence) -> Iterator[Hit]:
    """No observation text is written for programs, such as escaped text, encoded text or an object's name.

    If a model copies such text into its next call, the call is refused. A model that gets an encoded picture reads
    letters instead of seeing the picture.
    """
    if evidence.declaration.runs_programs:
        yield skip("programs choose the format of their output")
        return
    reported: set[str] = set()
    read: set[str] = set()
    several = evidence.every_bare or evidence.every
    accepted = (step.text for each in several for step in each.steps if not step.error)
    mixed = any(_RAW.search(text) and re.search(_FOR_MACHINES[_HTML], text) for text in accepted)
    for trajectory in several:
        said = f"{evidence.declaration.prompt or ''} {evidence.declaration.tools}"
        shown = [("the opening", "", "", trajectory.opening)]
        shown += [
            (f"step {number}", step.tool, repr(step.arguments), step.text)
            for number, step in enumerate(trajectory.steps, 1)
            # Only a client that breaks the schema sees such a refusal.
            if not (trajectory.model == "malformed" and evidence.audit.audited)
        ]
        for where, tool, arguments, text in shown:
            said += arguments
            if text in read:
                continue
            read.add(text)
            for what, found in _for_machines(text):
                # What the agent wrote or was shown may be repeated.
                if what not in reported and found[0] not in said and not (what == _HTML and mixed):
                    reported.add(what)
                    message = f"{named(trajectory)}: {where} has {what}: {_around(found)!r}"
                    yield Hit(message, trajectory, Place(task=trajectory.label, tool=tool))


def _for_machines(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    for what, pattern in _FOR_MACHINES.items():
        intended = what == _JSON and "escape" in text.casefold()
        if (found := re.search(pattern, text)) and not intended:
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
    needs=[PLAYED, PLAYED_PICTURES],
)
def picture_is_none(evidence: Evidence) -> Iterator[Hit]:
    """Every picture has its declared format and can be decoded.

    If a picture is invalid, endpoints refuse the whole request.
    """
    reported: set[str] = set()
    for trajectory in evidence.every:
        for number, block in trajectory.pictures():
            kind, data = block.get("media_type", ""), block.get("data", "")
            if problem := _problem(str(kind), str(data)):
                if problem not in reported:
                    where = f"step {number}" if number else "the opening"
                    message = f"{named(trajectory)}: the picture of {where} {problem}"
                    tool = trajectory.steps[number - 1].tool if number else ""
                    place = Place(task=trajectory.label, tool=tool)
                    yield Hit(message, trajectory, place)
                reported.add(problem)
            if len(reported) > 2 or not problem:
                break  # one per episode


def _problem(kind: str, data: str) -> str:
    try:
        raw = read_base64(data)
        if kind in _MAGIC and not raw.startswith(_MAGIC[kind]):
            return f"is declared as {kind}, but begins with {raw[:8]!r}"
        decode(data).close()
    except TooLargeError:
        return ""  # its format was not examined
    except NoPictureError as error:
        return str(error)
    return ""


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
"""Words before a number that counts events, not things."""


_RANGE = re.compile(
    r"(?P<nouns>\b[a-z]+(?: and an? [a-z]+)?) "
    r"(?:(?:of|from) (?P<low>\d+) to|between (?P<lowest>\d+) and) (?P<high>\d+)\b",
    re.IGNORECASE,
)


@check(
    "OBS005",
    "number-out-of-words",
    fix="use the same bounds in the text and in the code that generates the numbers",
    needs=[REFERENCE],
)
def number_out_of_words(evidence: Evidence) -> Iterator[Hit]:
    """Counts in observations are within the range that the text states.

    A model that plans with `weights of 1 to 99` does not expect a weight of 140, and never looks for one.
    """
    counted = False
    for trajectory in evidence.every_bare:
        for found in _RANGE.finditer(trajectory.opening):
            low, high = int(found["low"] or found["lowest"]), int(found["high"])
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
                        counted = True
                        if not low <= int(number) <= high:
                            message = (
                                f"{named(trajectory)}: {noun} {number}, "
                                f"but the text says {low} to {high}"
                            )
                            place = Place(task=trajectory.label, tool=step.tool)
                            yield Hit(message, trajectory, place)
                            return
    if not counted:
        yield skip("no observation contains a count whose range the text states")


CHECKS = (
    text_for_machines,
    picture_is_none,
    number_out_of_words,
)
