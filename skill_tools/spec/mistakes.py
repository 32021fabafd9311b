"""Problems with the fields of a document. Each problem's message contains a fix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from skill_tools.errors import Problem, closest, nearest
from skill_tools.spec.accepted_findings import CheckException
from skill_tools.spec.examples import Example, ExpectedCall
from skill_tools.spec.model import (
    EpisodeLimits,
    Prompt,
    Reward,
    Seed,
)
from skill_tools.spec.parameters import (
    TYPES,
    Array,
    Boolean,
    Enum,
    Integer,
    Number,
    Object,
    Raw,
    String,
)
from skill_tools.spec.surroundings import Display
from skill_tools.spec.tools import Tool

RENAMED = {"secret": "hidden"}
"""Renamed fields: {old: new}."""

_MODELS: dict[str, type[BaseModel]] = {
    "prompt": Prompt,
    "reward": Reward,
    "episode": EpisodeLimits,
    "seed": Seed,
    "display": Display,
    "exceptions": CheckException,
    "examples": Example,
}
_PARAMETERS: dict[str, type[BaseModel]] = {
    "string": String,
    "integer": Integer,
    "number": Number,
    "boolean": Boolean,
    "enum": Enum,
    "array": Array,
    "object": Object,
    "schema": Raw,
}

SLIP = 0.8
"""Similarity from which a name counts as a misspelling of a field; see ``closest``."""
Place = tuple[str, ...]
"""Path of a field in a document."""
Where = Callable[[Place], str]
"""Returns the file, line and field of a place."""


@dataclass(frozen=True)
class _Document:
    """A YAML document: its file name, pydantic model, data, and a function that finds the lines of fields."""

    name: str
    model: type[BaseModel]
    data: Any
    where: Where


def typed_problems(
    error: ValidationError, data: Any, where: Where, model: type[BaseModel], name: str
) -> list[Problem]:
    """Return the problems found when a document is validated against a model. ``name`` is the file's name."""
    document = _Document(name, model, data, where)
    items = _not_misspelt(document, error.errors(include_url=False))
    return [_typed_problem(document, item) for item in items]


def _typed_problem(document: _Document, item: Any) -> Problem:
    where, data = document.where, document.data
    place = _in_document(data, item["loc"])
    kind, context = item["type"], item.get("ctx", {})
    name = str(item["loc"][-1])
    if kind == "extra_forbidden" and name in RENAMED:
        what = f"the field {name!r} is called {RENAMED[name]!r} now"
        return Problem(where(place), what, f"write {RENAMED[name]}: instead")
    if kind == "extra_forbidden" and (parent := _parent_of(document, name, item["loc"])):
        what, fix = f"{name!r} is a field of {parent!r}", f"write the field below {parent}:"
        return Problem(where(place), what, fix)
    if kind == "extra_forbidden":
        allowed = _fields_around(document, item["loc"])
        return Problem(
            where(place),
            f"unknown field {name!r}",
            nearest(name, allowed, before=""),
        )
    if kind == "missing":
        what = f"the field {name!r} is missing"
        return Problem(where(place), what, f"add {name}: to {document.name}")
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        given = context.get("tag", "")
        found = where((*place, "type"))
        what = f"unknown parameter type {given!r}" if given else "the parameter has no type"
        return Problem(found, what, nearest(given, TYPES, before=""))
    if kind == "literal_error":
        allowed = [part.strip("' ") for part in context["expected"].replace(" or ", ",").split(",")]
        what = f"{item['input']!r} is not one of the allowed values"
        return Problem(where(place), what, nearest(str(item["input"]), allowed, before=""))
    what = f"{item['msg'].removeprefix('Value error, ')} (found {_short(item['input'])})"
    return Problem(where(place), what, _EXPECTED.get(kind, ""))


def _parent_of(document: _Document, name: str, place: Sequence[str | int]) -> str:
    """Return the field of env.yaml that should contain a misplaced top-level field, or "" if no field fits.

    The result is also "" if the name is a misspelling of a top-level field.
    """
    if closest(name, document.model.model_fields, SLIP):
        return ""
    parents = (parent for parent, model in _MODELS.items() if name in model.model_fields)
    return next(parents, "") if len(place) == 1 else ""


_EXPECTED = {
    "int_type": "write a whole number, without quotes",
    "string_type": "write text; put quotes around it if it looks like a number",
    "bool_type": "write true or false",
    "dict_type": "write its fields below it, indented",
    "list_type": "write a list: [a, b]",
}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _not_misspelt(document: _Document, items: list[Any]) -> list[Any]:
    """Return the problems, except for fields that seem missing only because their names are misspelled."""
    meant = set()
    for item in items:
        if item["type"] == "extra_forbidden":
            *place, name = item["loc"]
            # A less similar one may be missing as well.
            meant.add(
                (*place, closest(str(name), _fields_around(document, item["loc"]), alike=0.6))
            )
    return [item for item in items if item["type"] != "missing" or item["loc"] not in meant]


def _in_document(data: Any, loc: Sequence[int | str]) -> tuple[str, ...]:
    """Return the path of an error in the document, without the union tags that pydantic inserts."""
    place: list[str] = []
    for position, part in enumerate(loc):
        if _has(data, part):
            data = data[part]
        elif position < len(loc) - 1 or part in TYPES:
            continue
        place.append(str(part))
    return tuple(place)


def _has(data: Any, part: int | str) -> bool:
    if isinstance(data, list):
        return isinstance(part, int) and part < len(data)
    return isinstance(data, dict) and part in data


def _fields_around(document: _Document, loc: Sequence[int | str]) -> list[str]:
    if len(loc) == 1:
        return list(document.model.model_fields)
    if loc[0] in _MODELS:
        model = _MODELS[str(loc[0])]
        return list((ExpectedCall if "calls" in loc[:-1] else model).model_fields)
    there = _in_document(document.data, loc)
    tags = [part for part in loc if part in _PARAMETERS and part not in there]
    if tags:
        return list(_PARAMETERS[str(tags[-1])].model_fields)
    if isinstance(loc[1], int):
        return list(_model_at(document.model, loc[:-1]).model_fields)
    return list(Tool.model_fields)


def _model_at(model: type[BaseModel], loc: Sequence[int | str]) -> type[BaseModel]:
    """Return the deepest model on the path to a field, including models in lists and optional fields."""
    for name in loc:
        field = model.model_fields.get(str(name))
        inner = [field.annotation, *get_args(field.annotation)] if field else []
        inner += [each for part in inner for each in get_args(part)]
        found = (each for each in inner if isinstance(each, type) and issubclass(each, BaseModel))
        model = next(found, model)
    return model
