"""JSON Schemas from existing tools, rewritten without references."""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

MOST_PARTS = 5_000
"""Maximum subschemas after all references are replaced: references to references grow exponentially."""
_NOTES = frozenset(
    {"$schema", "$id", "$anchor", "$defs", "$comment", "definitions", "title", "examples"}
)
"""Keywords that validate nothing once references are replaced."""
_ONE = frozenset({"items", "additionalProperties", "not", "contains", "propertyNames"})
"""Keywords with a subschema, like `if`, `then` and `else`."""
_CONDITIONS = frozenset({"if", "then", "else"})
_SEVERAL = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_KINDS = {
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format"), ("string",)),
    **dict.fromkeys(("minimum", "maximum", "multipleOf"), ("integer", "number")),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), ("integer", "number")),
    **dict.fromkeys(("items", "minItems", "maxItems", "uniqueItems", "prefixItems"), ("array",)),
    **dict.fromkeys(("properties", "required", "additionalProperties"), ("object",)),
}
"""The types to which a keyword applies; the others apply to all."""
_NAMED = frozenset({"properties", "patternProperties", "dependentSchemas"})


def inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON Schema without titles, examples and comments, in which targets replace each `$ref`.

    A list of types becomes `anyOf`. Raises ValueError if the schema is invalid, refers to anything outside the
    schema, has a recursive reference, or has more than MOST_PARTS parts.
    """
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise ValueError(f"not a JSON Schema (draft 2020-12): {error.message}") from error
    found: dict[str, Any] = _Reader(schema).read(schema, ())
    return found


class _Reader:
    def __init__(self, root: dict[str, Any]) -> None:
        self.root, self.parts = root, 0

    def read(self, schema: Any, within: tuple[str, ...]) -> Any:
        """Return a subschema with its references replaced. ``within`` has the references that enclose the subschema."""
        self.parts += 1
        if self.parts > MOST_PARTS:
            raise ValueError(f"the schema has more than {MOST_PARTS} parts; write a smaller one")
        if not isinstance(schema, dict):
            return schema
        if "$ref" in schema:
            place = str(schema["$ref"])
            if place in within:
                raise ValueError(
                    f"{place} contains itself; write out as many levels as the environment needs"
                )
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            return self.read({**self._target(place), **beside}, (*within, place))
        found = {
            key: self._value(key, value, within)
            for key, value in schema.items()
            if key not in _NOTES
        }
        kinds = found.get("type")
        return found if not isinstance(kinds, list) else _as_choice(found, kinds)

    def _value(self, key: str, value: Any, within: tuple[str, ...]) -> Any:
        if key in _ONE | _CONDITIONS:
            return self.read(value, within)
        if key in _SEVERAL:
            return [self.read(each, within) for each in value]
        if key in _NAMED:
            return {name: self.read(each, within) for name, each in value.items()}
        return value

    def _target(self, place: str) -> dict[str, Any]:
        if place != "#" and not place.startswith("#/"):
            raise ValueError(
                f"$ref {place!r} points outside the schema; write the target in `$defs`"
            )
        found: Any = self.root
        for part in place.split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            found = found.get(name) if isinstance(found, dict) else None
        if not isinstance(found, dict):
            raise ValueError(f"$ref {place!r} does not point to a schema")  # noqa: TRY004
        return found


def _as_choice(schema: dict[str, Any], kinds: list[str]) -> dict[str, Any]:
    """Return a schema with several types as a choice of types, because most tool parsers expect a single type."""
    outside: dict[str, Any] = {
        key: schema[key] for key in ("description", "default") if key in schema
    }
    inside = {k: value for k, value in schema.items() if k != "type" and k not in outside}
    choices: list[dict[str, Any]] = [
        {"type": kind, **{key: inside[key] for key in inside if kind in _KINDS.get(key, kinds)}}
        for kind in kinds
    ]
    return {**(choices[0] if len(choices) == 1 else {"anyOf": choices}), **outside}
