"""Readings: what somebody who read the prompt alone, and no code, expects of the world."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from skill_tools.errors import Problem, SpecError
from skill_tools.files import READINGS_FILE
from skill_tools.spec.document import find_line, parse
from skill_tools.spec.examples import Example
from skill_tools.spec.halves import half_a_character
from skill_tools.spec.mistakes import Place, typed_problems
from skill_tools.spec.parameters import Strict
from skill_tools.spec.rules import late_calls

MOST_EXAMPLES = 400
"""Examples of one reading: some for each sentence of a long prompt; each is an episode to be played."""
WRITE = "write the two lists examples: and contradictions:, as `skill-tools blind-review` says at its end"


class Contradiction(Strict):
    """What a transcript of the brief shows, and the words say otherwise; nothing of it is played."""

    task: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+/[0-9]+$")]
    """Split and index, such as train/0."""
    player: Literal["oracle", "random"] = "oracle"
    """Whose transcript it is."""
    step: Annotated[int, Field(ge=0)] = 0
    """The number of the call; 0 is the opening."""
    sentence: Annotated[str, Field(min_length=1)]
    """The sentence of the prompt or a description, word by word."""
    because: Annotated[str, Field(min_length=1)]
    """What is otherwise, in a sentence."""


class Readings(Strict):
    """What a reader wrote: worked examples, and what cannot be said as one."""

    examples: Annotated[list[Example], Field(max_length=MOST_EXAMPLES)] = []
    """Calls and what must come back by the words alone."""
    contradictions: Annotated[list[Contradiction], Field(max_length=MOST_EXAMPLES)] = []
    """What transcripts show that is otherwise than the words say."""


def read_readings(folder: Path) -> Readings | None:
    """What stands in readings.yaml of an environment folder; None where there is none.

    Whether its tasks and tools are there is not looked at: they may be gone since it was written, which a
    check tells. Raises SpecError with every problem found, as of env.yaml.
    """
    path = folder / READINGS_FILE
    if not path.is_file():
        return None
    data, text = parse(path, WRITE, aliases=True)

    def where(place: Place) -> str:
        return find_line(path, text, place)

    if (half := half_a_character(data)) is not None:
        what = "holds half of a surrogate pair, which cannot be encoded"
        raise SpecError([Problem(where(half), what, "write the whole character")])
    try:
        readings = Readings.model_validate(data)
    except ValidationError as error:
        raise SpecError(typed_problems(error, data, where, Readings, READINGS_FILE)) from error
    if problems := [Problem(where(place), what, fix) for place, what, fix in _late(readings)]:
        raise SpecError(problems)
    return readings


def _late(readings: Readings) -> Iterator[tuple[Place, str, str]]:
    for number, example in enumerate(readings.examples):
        yield from late_calls(example, ("examples", str(number)))
