"""A tool's parameters as text: Python type hints, and the rule that a refusal states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skill_tools.spec.model import EnvSpec
from skill_tools.spec.parameters import Array, Enum, Tool
from skill_tools.spec.shown import bounds

_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}


def signature(tool: Tool) -> str:
    """Return the part after ``self`` in a method's signature: keyword-only, in the author's order, with defaults."""
    typed = [
        f"{name}: {_annotation(each)}{_or_none(each)}" for name, each in tool.parameters.items()
    ]
    return "".join(f", {part}" for part in ("*", *typed)) if typed else ""


def _annotation(parameter: Any) -> str:
    if isinstance(parameter, Array):
        return f"list[{_annotation(parameter.items)}]"
    if isinstance(parameter, Enum):
        return f"Literal[{', '.join(map(repr, parameter.values))}]"
    return _TYPES[parameter.type]


def _or_none(parameter: Any) -> str:
    if not parameter.optional:
        return ""
    return f"{' | None' if parameter.default is None else ''} = {parameter.default!r}"


KINDS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
}


def refusals(spec: EnvSpec) -> dict[str, dict[str, str]]:
    """Return a sentence by tool and parameter; {} in it stands for the value that the model wrote."""
    return {
        name: {
            key: parameter.on_invalid or f"{key} must be {_rule(parameter.json_schema())}, was {{}}"
            for key, parameter in tool.parameters.items()
        }
        for name, tool in spec.actions.items()
    }


def _rule(field: Mapping[str, Any]) -> str:
    if "enum" in field:
        return f"one of {', '.join(field['enum'])}"
    parts = [KINDS[field["type"]], *bounds(field)]
    if "items" in field:
        parts.append(f"each {_rule(field['items'])}")
    return ", ".join(parts)
