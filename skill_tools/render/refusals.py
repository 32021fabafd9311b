"""The sentences with which an environment refuses a tool's arguments."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from skill_tools.spec.model import EnvSpec
from skill_tools.spec.parameters import Parameter
from skill_tools.spec.shown import bounds, is_plain, other_rules

KINDS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "text",
}


def refusals(spec: EnvSpec) -> dict[str, dict[str, str]]:
    """Return each tool's refusals, keyed by the place of the wrong value. In a refusal, {} stands for the value that
    the model wrote.

    A place is the name of a parameter or of a part, such as `orders[].size` or `prices.*`.
    """
    return {
        name: {
            place: text
            for key, parameter in tool.parameters.items()
            for place, text in _refusals(key, parameter, parameter.json_schema()).items()
        }
        for name, tool in spec.actions.items()
    }


def _refusals(place: str, parameter: Parameter | None, schema: Mapping[str, Any]) -> dict[str, str]:
    """Return the refusals for a value and for its parts, keyed by place."""
    own = parameter.on_invalid if parameter else None
    found = {place: own or f"{place} must be {_rule(schema)}, was {{}}"}
    parts = parameter.inner() if parameter else {}
    for part, inner in _parts(schema):
        if part == "[]" and is_plain(inner):
            continue  # the list's own sentence says what each item is
        there = f"{place}{part}" if part == "[]" else f"{place}.{part}"
        found |= {
            key: text
            for key, text in _refusals(there, parts.get(part), inner).items()
            if key not in found
        }
    return found


def _parts(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the schema of each part of a value. The key is a field's name, `*` for other names, or `[]` for items."""
    yield from schema.get("properties", {}).items()
    for part, key in (("*", "additionalProperties"), ("[]", "items")):
        if isinstance(schema.get(key), Mapping):
            yield part, schema[key]
    for choice in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from _parts(choice)


def _rule(field: Mapping[str, Any]) -> str:
    """Return the rule that a value must obey, as text."""
    if choices := field.get("anyOf", field.get("oneOf")):
        return " or ".join(_rule(choice) for choice in choices)
    if "enum" in field:
        named = [each if isinstance(each, str) else json.dumps(each) for each in field["enum"]]
        return f"one of {', '.join(named)}"
    parts = [KINDS.get(str(field.get("type")), "a value"), *bounds(field)]
    if names := list(field.get("properties", {})):
        parts[0] += f" with {', '.join(names)}"
    if isinstance(field.get("items"), Mapping):
        parts.append(f"each {_rule(field['items'])}")
    if isinstance(field.get("additionalProperties"), Mapping):
        parts.append(f"each value {_rule(field['additionalProperties'])}")
    return ", ".join(parts + other_rules(field))
