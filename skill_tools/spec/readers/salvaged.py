"""The reply of a model that read a brief: the valid items as a file, and the reasons for omitted items."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML

from skill_tools.spec.document import LARGEST, half_a_character, parse_text
from skill_tools.spec.examples import Example
from skill_tools.spec.readers.claims import MOST_CLAIMS
from skill_tools.spec.readers.readings import MOST_EXAMPLES, WRITE, Contradiction
from skill_tools.spec.rules import late_calls

ANSWER = "the model's answer"
"""The name of a model's answer in errors."""
_FENCED = re.compile(r"^(`{3,}|~{3,})[^\n]*\n(.*?)^\1[`~]*\s*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Salvaged:
    """The text of a readings.yaml, the number of items of each kind, and the omitted items with the reasons."""

    text: str
    examples: int
    contradictions: int
    left_out: list[str]


def salvage(said: str, by: str) -> Salvaged:
    """Return the valid readings in a model's reply. The reply is YAML, or has YAML in a fenced block.

    ``by`` is the name of the model. Raises SpecError if the reply contains no readings.
    """
    lists: dict[str, type[BaseModel]] = {"examples": Example, "contradictions": Contradiction}
    found, left_out = _read(said, lists, WRITE, MOST_EXAMPLES)
    left_out += [f"{name}: not one of the expected lists" for name in found if name not in lists]
    kept = {name: found.get(name, []) for name in lists}
    note = f"Written by {_line(by)}, who saw no code. You may delete this file."
    sizes = (len(kept["examples"]), len(kept["contradictions"]))
    return Salvaged(_as_yaml(kept, note), *sizes, left_out)


def salvage_list(
    said: str, by: str, model: type[BaseModel], name: str, item: type[BaseModel]
) -> Salvaged:
    """Return a file of claims or answers from a model's reply, with the valid items of its list.

    Raises SpecError if the reply contains no such file.

    Args:
        by: The name of the model.
        model: The class of the file.
        name: The name of the list.
        item: The class of the list's items.
    """
    found, left_out = _read(said, {name: item}, f"write the list {name}:", MOST_CLAIMS)
    kept = {key: value for key, value in found.items() if key in model.model_fields}
    kept |= {"reader": _line(by), name: found.get(name, [])}
    try:
        model.model_validate(kept)
    except ValidationError:  # the fields beside the list are of little use
        kept = {"reader": _line(by), name: kept[name]}
    text = _as_yaml(kept, f"Written by {_line(by)}. You may delete this file.")
    return Salvaged(text, len(kept[name]), 0, left_out)


def _line(by: str) -> str:
    return " ".join(by.split())


def _read(
    said: str, lists: Mapping[str, type[BaseModel]], write: str, most: int
) -> tuple[dict[str, Any], list[str]]:
    """Return the document in a reply, with only the valid items of its lists, and the reason for each omitted item."""
    field = re.compile(rf"^({'|'.join(lists)})\s*:", re.MULTILINE)
    blocks = [text for _, text in _FENCED.findall(said) if field.search(text)]
    # A model that thinks aloud writes drafts first.
    text = blocks[-1] if blocks else said
    data = parse_text(text[:LARGEST], ANSWER, write, aliases=True)
    left_out: list[str] = []
    for name, model in lists.items():
        data[name] = list(_valid(data, name, (model, most), left_out))
    return data, left_out


def _as_yaml(data: dict[str, Any], note: str) -> str:
    written = io.StringIO()
    written.write(f"# {note}\n")
    YAML(typ="safe", pure=True).dump(data, written)
    return written.getvalue()


def _valid(
    data: dict[str, Any], name: str, kind: tuple[type[BaseModel], int], left_out: list[str]
) -> Iterator[dict[str, Any]]:
    found, (model, most) = data.get(name), kind
    for number, item in enumerate(found if isinstance(found, list) else ()):
        where = f"{name}[{number}]"
        if number >= most:
            left_out.append(f"{where} and all later ones: there are more than {most}")
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
            left_out.append(f"{where}: {late[1] if late else 'contains half of a surrogate pair'}")
            continue
        yield read.model_dump(mode="json", exclude_defaults=True, by_alias=True)
