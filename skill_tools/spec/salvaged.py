"""Readings in a model's answer: the valid ones as a file, and why the others were left out."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML

from skill_tools.spec.document import LARGEST, half_a_character, parse_text
from skill_tools.spec.examples import Example
from skill_tools.spec.readings import MOST_EXAMPLES, WRITE, Contradiction
from skill_tools.spec.rules import late_calls

ANSWER = "the model's answer"
"""The name of a model's answer in errors."""
_FENCED = re.compile(r"^(`{3,}|~{3,})[^\n]*\n(.*?)^\1[`~]*\s*$", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^(examples|contradictions)\s*:", re.MULTILINE)


@dataclass(frozen=True)
class Salvaged:
    """The text of a readings.yaml, the numbers of its items, and the omitted items with reasons."""

    text: str
    examples: int
    contradictions: int
    left_out: list[str]


def salvage(said: str, by: str) -> Salvaged:
    """Return the valid readings in a model's reply, which holds the YAML alone or in a fenced block.

    ``by`` says who wrote it. Raises SpecError if the reply contains no readings.
    """
    blocks = [text for _, text in _FENCED.findall(said) if _FIELD.search(text)]
    # A model that thinks aloud writes drafts first.
    text = blocks[-1] if blocks else said
    data = parse_text(text[:LARGEST], ANSWER, WRITE, aliases=True)
    left_out: list[str] = []
    examples = list(_valid(data, "examples", Example, left_out))
    contradictions = list(_valid(data, "contradictions", Contradiction, left_out))
    left_out += [
        f"{name}: no such list" for name in data if name not in ("examples", "contradictions")
    ]
    written = io.StringIO()
    written.write(
        f"# Written by {' '.join(by.split())}, who saw no code. You may delete this file.\n"
    )
    YAML(typ="safe", pure=True).dump(
        {"examples": examples, "contradictions": contradictions}, written
    )
    return Salvaged(written.getvalue(), len(examples), len(contradictions), left_out)


def _valid(
    data: dict[str, Any], name: str, model: type[BaseModel], left_out: list[str]
) -> Iterator[dict[str, Any]]:
    found = data.get(name)
    for number, item in enumerate(found if isinstance(found, list) else ()):
        where = f"{name}[{number}]"
        if number >= MOST_EXAMPLES:
            left_out.append(f"{where} and all later ones: there are more than {MOST_EXAMPLES}")
            return
        try:
            read = model.model_validate(item)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            left_out.append(f"{where}{'.' if place else ''}{place}: {first['msg']}")
            continue
        late = next(late_calls(read, ()), None) if isinstance(read, Example) else None
        if late or half_a_character(item) is not None:
            left_out.append(f"{where}: {late[1] if late else 'holds half of a character'}")
            continue
        yield read.model_dump(mode="json", exclude_defaults=True)
