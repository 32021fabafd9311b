"""An OpenAPI document, whose references are resolved and whose schemas are converted to JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

LEVELS = 3
"""How often a schema may contain itself; deeper values may be anything, because arguments are rarely deeper."""
MOST_PARTS = 200_000
"""Maximum values to copy out of a document: references to references grow exponentially."""
NOTES = frozenset(
    {"example", "examples", "xml", "externalDocs", "discriminator", "deprecated"}
    | {"readOnly", "writeOnly"}
)
"""Fields of a schema that say nothing about valid arguments."""
WIDTHS = frozenset({"int32", "int64", "float", "double", "byte", "binary", "password"})
"""Values of ``format`` that also say nothing about valid arguments."""
JOINED = frozenset({"type", "properties", "required", "additionalProperties"})
"""Fields of a schema of plain objects, which can be joined."""
WORDS = frozenset({"title", "description", "default"})
"""Fields that any schema may have."""


@dataclass
class OpenApiDocument:
    """A parsed document, and descriptions of the parts that were left out so far."""

    document: Mapping[str, Any]
    left_out: dict[str, None] = field(default_factory=dict)
    parts: int = 0

    def leave(self, what: str) -> None:
        """Record the description of a part that is left out."""
        self.left_out[what] = None

    def followed(self, value: Any) -> dict[str, Any]:
        """Return an object. If the value is a reference, return the object in the document that the reference names.

        Raises ValueError if the reference leads to no object.
        """
        for _ in range(LEVELS * LEVELS):
            if not isinstance(value, dict):
                break
            if "$ref" not in value:
                return value
            value = self._target(str(value["$ref"]))
        raise ValueError(f"{str(value)[:80]!r} is a reference to itself, or not an object")

    def _target(self, place: str) -> Any:
        if not place.startswith("#/"):
            raise ValueError(
                f"$ref {place!r} points outside the document\n"
                "    fix: put the whole document into one file, for example with `npx @redocly/cli bundle FILE`"
            )
        found: Any = self.document
        for part in place.split("/")[1:]:
            name = unquote(part).replace("~1", "/").replace("~0", "~")
            found = found.get(name) if isinstance(found, dict) else None
        if found is None:
            raise ValueError(f"$ref {place!r} points to a missing part")
        return found

    def schema(self, value: Any, within: tuple[str, ...] = ()) -> Any:
        """Return a schema as JSON Schema, without references. Raises ValueError if the schemas are too large."""
        self.parts += 1
        if self.parts > MOST_PARTS:
            raise ValueError(
                f"the schemas up to here have more than {MOST_PARTS} parts\n"
                "    fix: keep only the paths that an agent needs"
            )
        if isinstance(value, list):
            return [self.schema(each, within) for each in value]
        if not isinstance(value, dict):
            kept = value is None or isinstance(value, bool | int | float | str)
            return value if kept else str(value)  # YAML has dates
        if "$ref" in value:
            place = str(value["$ref"])
            found = self._target(place)
            beside = {key: each for key, each in value.items() if key != "$ref"}
            if within.count(place) >= LEVELS or not isinstance(found, dict):
                name = place.rpartition("/")[2]
                self.leave(f"{name} contains itself: any value is accepted below {LEVELS} levels")
                return self.schema(beside, within)
            return self.schema({**found, **beside}, (*within, place))
        made = {
            key: self._fields(each, within)
            if key == "properties" and isinstance(each, dict)
            else self.schema(each, within)
            for key, each in value.items()
            if key not in NOTES and not key.startswith("x-")
        }
        if made.get("format") in WIDTHS:
            del made["format"]
        if isinstance(made.get("required"), list) and "properties" in made:
            lost = value["properties"].keys() - made["properties"].keys()
            made["required"] = [name for name in made["required"] if name not in lost]
        return _joined(_converted(made))

    def _fields(self, fields: Mapping[str, Any], within: tuple[str, ...]) -> dict[str, Any]:
        """Return the schemas of fields, except for read-only fields, which only the service writes."""
        read_only = {
            name for name, each in fields.items() if isinstance(each, dict) and each.get("readOnly")
        }
        return {
            name: self.schema(each, within)
            for name, each in fields.items()
            if name not in read_only
        }


def as_object(value: Any) -> dict[str, Any]:
    """Return the value if it is an object; otherwise an empty object."""
    return value if isinstance(value, dict) else {}


def _joined(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without ``allOf``, if possible.

    Several objects in ``allOf`` become one object, and a single schema replaces its list.
    """
    parts = schema.get("allOf")
    if not isinstance(parts, list) or not all(isinstance(each, dict) for each in parts):
        return schema
    rest = {key: each for key, each in schema.items() if key != "allOf"}
    if len(parts) == 1 and not rest.keys() - WORDS:
        return {**parts[0], **rest}
    if any(each.keys() - JOINED - WORDS for each in (*parts, rest)):
        return schema
    made: dict[str, Any] = {"type": "object", "properties": {}, "required": []}
    for each in (*parts, rest):
        made["properties"] |= each.get("properties", {})
        made["required"] += each.get("required", ())
    return {**made, **{key: rest[key] for key in rest if key in WORDS}}


def _converted(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema of OpenAPI 3.0 as JSON Schema, with null as a choice and exclusive bounds as numbers."""
    for bound, exclusive in (
        ("minimum", "exclusiveMinimum"),
        ("maximum", "exclusiveMaximum"),
    ):
        if isinstance(schema.get(exclusive), bool):
            excluded = schema.pop(exclusive)
            if excluded and bound in schema:
                schema[exclusive] = schema.pop(bound)
    if schema.pop("nullable", False) is True:
        outer = {key: schema.pop(key) for key in sorted(WORDS) if key in schema}
        values = schema.get("enum")
        if isinstance(values, list):
            schema["enum"] = [each for each in values if each is not None]
        return {"anyOf": [schema, {"type": "null"}], **outer}
    return schema
