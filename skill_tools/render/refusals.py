"""What a model is told whose argument breaks its schema: the rule in words, or the author's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skill_tools.spec.model import EnvSpec
from skill_tools.spec.shown import bounds

KINDS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
}


def refusals(spec: EnvSpec) -> dict[str, dict[str, str]]:
    """A sentence by tool and parameter; {} in it stands for what the model wrote."""
    return {
        name: {
            key: parameter.on_invalid or f"{key} must be {_rule(parameter.json_schema())}, was {{}}"
            for key, parameter in tool.parameters.items()
        }
        for name, tool in spec.tools.items()
    }


def _rule(field: Mapping[str, Any]) -> str:
    if "enum" in field:
        return f"one of {', '.join(field['enum'])}"
    parts = [KINDS[field["type"]], *bounds(field)]
    if "items" in field:
        parts.append(f"each {_rule(field['items'])}")
    return ", ".join(parts)
