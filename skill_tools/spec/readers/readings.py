"""Readings: the expectations of a reader who sees only the prompt, not the code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from skill_tools.files import READINGS_FILE
from skill_tools.spec.examples import Example
from skill_tools.spec.mistakes import Place
from skill_tools.spec.parameters import Strict
from skill_tools.spec.readers.documents import read_reader_file
from skill_tools.spec.rules import late_calls

MOST_EXAMPLES = 400
"""Maximum examples in a reading: enough for several per sentence of a long prompt. Each one is an episode."""
WRITE = "write the two lists examples: and contradictions:, as described at the end of the brief"


class Contradiction(Strict):
    """An observation in the brief's transcripts that contradicts the text. It is not played."""

    task: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+/[0-9]+$")]
    """Split and index, such as train/0."""
    player: Literal["oracle", "random"] = "oracle"
    """The player of the transcript."""
    step: Annotated[int, Field(ge=0)] = 0
    """The number of the call; 0 is the opening."""
    sentence: Annotated[str, Field(min_length=1)]
    """The sentence of the prompt or a description, word for word."""
    because: Annotated[str, Field(min_length=1)]
    """Why the two contradict each other, in a sentence."""


class Readings(Strict):
    """A reader's worked examples, and contradictions that cannot be written as an example."""

    examples: Annotated[list[Example], Field(max_length=MOST_EXAMPLES)] = []
    """Calls and their expected results according to the text alone."""
    contradictions: Annotated[list[Contradiction], Field(max_length=MOST_EXAMPLES)] = []
    """Contradictions between transcripts and the text."""


def read_readings(folder: Path) -> Readings | None:
    """Read readings.yaml of an environment folder, or return None if the file is missing.

    Tasks and tools may have been removed since the file was written; a check reports this. Raises SpecError with
    every problem found, as for env.yaml.
    """
    return read_reader_file(folder / READINGS_FILE, Readings, WRITE, _late)


def _late(readings: Readings) -> Iterator[tuple[Place, str, str]]:
    for number, example in enumerate(readings.examples):
        yield from late_calls(example, ("examples", str(number)))
