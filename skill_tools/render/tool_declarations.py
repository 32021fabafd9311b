"""Tools from an existing environment, declared as in env.yaml, and the methods that play these tools."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

from jsonschema import Draft202012Validator
from pydantic import ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq

from skill_tools.errors import SkillToolsError
from skill_tools.render.type_hints import signature
from skill_tools.spec.model import RESERVED_METHODS
from skill_tools.spec.raw_schemas import inlined
from skill_tools.spec.tools import Tool

_BOUNDS = {
    "string": {"minLength": "min_length", "maxLength": "max_length", "pattern": "pattern"},
    "integer": {"minimum": "minimum", "maximum": "maximum"},
    "number": {"minimum": "minimum", "maximum": "maximum"},
    "boolean": {},
    "array": {"minItems": "min_items", "maxItems": "max_items", "items": "items"},
    "object": {},
}
"""The fields of env.yaml for the keywords of a type."""
_WORDS = ("type", "description", "default")


def declare(name: str, tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return the declaration of a tool for env.yaml. Raises SkillToolsError if the tool's schema cannot be used."""
    try:
        schema = inlined(tool["schema"] or {})
    except ValueError as error:
        raise SkillToolsError(f"the schema of the tool {name!r} cannot be used: {error}") from error
    required = schema.get("required", ())
    fields: dict[str, Any] = {"description": tool["description"].strip()}
    method = re.sub(r"\W", "_", name).strip("_")
    if not name.isidentifier() or name in RESERVED_METHODS:
        fields["method"] = f"{method}_tool" if method in RESERVED_METHODS else method
    if parameters := {
        key: as_parameter(field, optional=key not in required)
        for key, field in schema.get("properties", {}).items()
    }:
        fields["parameters"] = parameters
    return fields


def as_parameter(schema: Mapping[str, Any], *, optional: bool = False) -> dict[str, Any]:
    """Return the env.yaml parameter for a JSON Schema without references."""
    own = {key: schema[key] for key in ("description",) if schema.get(key)}
    if optional:  # schemas often have a default of another type
        given = schema.get("default")
        own["default"] = given if Draft202012Validator(dict(schema)).is_valid(given) else None
    choices = schema.get("anyOf")
    values = [each for each in choices or () if each.get("type") != "null"]
    if choices and len(values) == 1 and set(schema) <= {"anyOf", *_WORDS}:
        inner = as_parameter(values[0])
        return {**inner, "nullable": True, **own}
    return {**(_typed(schema) or {"schema": _without_words(schema)}), **own}


def _typed(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the type and bounds of a schema, or None if env.yaml cannot express all of its keywords."""
    kind, rest = schema.get("type"), set(schema) - set(_WORDS)
    if kind == "string" and rest == {"enum"} and all(isinstance(e, str) for e in schema["enum"]):
        return {"type": "enum", "values": list(schema["enum"])}
    if kind == "object":
        return _object(schema, rest)
    if kind not in _BOUNDS or not rest <= _BOUNDS[kind].keys():
        return None
    found: dict[str, Any] = {"type": kind}
    for key, name in _BOUNDS[kind].items():
        if key in schema:
            found[name] = as_parameter(schema[key]) if key == "items" else schema[key]
    return found if kind != "array" or "items" in found else None


def _object(schema: Mapping[str, Any], rest: set[str]) -> dict[str, Any] | None:
    if not rest <= {"properties", "required", "additionalProperties"}:
        return None
    found: dict[str, Any] = {"type": "object"}
    required = schema.get("required", ())
    if schema.get("properties"):
        found["fields"] = {
            name: as_parameter(field, optional=name not in required)
            for name, field in schema["properties"].items()
        }
    if isinstance(schema.get("additionalProperties"), Mapping):
        found["values"] = as_parameter(schema["additionalProperties"])
    return found


def _without_words(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key not in ("description", "default")}


def method_of(name: str, fields: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return a tool's method name, the parameters in its signature, and its description on one line.

    Raises SkillToolsError for a tool that env.yaml cannot declare.
    """
    try:
        tool = Tool.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise SkillToolsError(
            f"the tool {name!r} cannot be declared: {place}: {first['msg']}"
        ) from error
    return tool.method or name, signature(tool), in_docstring(tool.description)


def in_docstring(text: str) -> str:
    """Return a text on one line, so that it cannot end the docstring that contains it."""
    return " ".join(text.split()).replace("\\", "/").replace('"', "'")


def as_block(tools: Mapping[str, Any]) -> str:
    """Return the tools as YAML, with short parameters on one line."""
    writer, out = YAML(), StringIO()
    writer.width = 110
    writer.dump(_laid_out(tools, 0), out)
    return "".join(f"  {line}\n" for line in out.getvalue().splitlines()).rstrip()


def _laid_out(value: Any, depth: int) -> Any:
    if not isinstance(value, dict | list):
        return value
    inner: Sequence[Any] = list(value.values()) if isinstance(value, dict) else value
    flat = depth >= 3 and not any(isinstance(each, dict) and each for each in inner)
    found: Any = CommentedMap() if isinstance(value, dict) else CommentedSeq()
    if isinstance(value, dict):
        for key, each in value.items():
            found[key] = _laid_out(each, depth + 1)
    else:
        found.extend(_laid_out(each, depth + 1) for each in value)
    if flat or isinstance(value, list):
        found.fa.set_flow_style()
    return found
