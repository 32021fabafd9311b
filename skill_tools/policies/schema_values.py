"""Values that a JSON Schema allows, and values that it refuses.

Libraries that draw values from a schema do not accept the caller's random generator, so their draws would not be
repeatable: hypothesis-jsonschema has its own engine, and jsf seeds the whole process.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import rstr
from jsonschema import Draft202012Validator

from skill_tools.spec.shown import is_plain

DRAWN = 200
"""Number of letters drawn for a random text; longer texts repeat these letters, to keep files compressible."""


def bad_values(schema: Mapping[str, Any]) -> list[Any]:
    """Return values that a schema most likely refuses; each value has one defect."""
    values: list[Any] = [None, {"nested": True}]
    values.append(7 if schema.get("type") in ("string", "array", "boolean", "object") else "seven")
    if "maximum" in schema:
        values.append(schema["maximum"] + 1)
    if "minimum" in schema:
        values.append(schema["minimum"] - 1)
    if "maxLength" in schema:
        values.append("x" * (schema["maxLength"] + 1))
    if "enum" in schema:
        values.append("".join(schema["enum"]) + "?")
    if "pattern" in schema:
        values.append("~ fits no pattern ~")
    if "maxItems" in schema:
        values.append([value_of(schema["items"], random.Random(0))] * (schema["maxItems"] + 1))
    return values + _broken_parts(schema)


def _broken_parts(schema: Mapping[str, Any]) -> list[Any]:
    """Return values in which one part is broken, missing or unknown."""
    found: list[Any] = [value for each in _choices(schema) for value in bad_values(each)]
    if schema.get("type") == "object":
        good, fields = value_of(schema, random.Random(0)), schema.get("properties", {})
        found += [{**good, k: bad} for k, each in fields.items() for bad in bad_values(each)]
        found += [{k: v for k, v in good.items() if k != name} for name in good]
        if isinstance(others := schema.get("additionalProperties"), Mapping):
            found += [{**good, "another": bad} for bad in bad_values(others)]
    items = schema.get("items")
    if isinstance(items, Mapping) and not is_plain(items):
        found += [[bad] for bad in bad_values(items)]
    return found


def _choices(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [*schema.get("anyOf", ()), *schema.get("oneOf", ())]


def arguments_of(schema: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return a value for every argument of a tool's schema."""
    return {name: value_of(field, rng) for name, field in schema["properties"].items()}


def value_of(schema: Mapping[str, Any], rng: random.Random) -> Any:
    """Return a value that a schema allows; constraints other than types, choices and bounds are ignored."""
    if choices := _choices(schema):
        return value_of(rng.choice(choices), rng)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    kind = schema.get("type")
    if "const" in schema or kind == "null":
        return schema.get("const")
    if kind == "boolean":
        return rng.random() < 0.5
    if kind == "object":
        fields, needed = schema.get("properties", {}), schema.get("required", ())
        made = {
            name: value_of(each, rng)
            for name, each in fields.items()
            if name in needed or rng.random() < 0.5
        }
        others = schema.get("additionalProperties")
        if isinstance(others, Mapping):
            made |= {text_of({}, rng): value_of(others, rng) for _ in range(rng.randint(0, 2))}
        return made
    if kind in ("integer", "number"):
        return _number(schema, rng)
    if kind == "array":
        least = schema.get("minItems", 0)
        length = rng.randint(least, schema.get("maxItems", least + 3))
        return [value_of(schema.get("items", {}), rng) for _ in range(length)]
    return text_of(schema, rng)


def _number(schema: Mapping[str, Any], rng: random.Random) -> float:
    low = schema.get("minimum", schema.get("maximum", 100) - 100)
    high = schema.get("maximum", low + 100)
    return rng.randint(low, high) if schema["type"] == "integer" else rng.uniform(low, high)


def text_of(schema: Mapping[str, Any], rng: random.Random) -> str:
    """Return a text of random letters, or a text that matches the schema's pattern."""
    if "pattern" in schema:
        fits = Draft202012Validator(schema).is_valid
        # Capped at a hundred, whatever maxLength allows: the start of the text is often valid.
        drawn = (rstr.Rstr(rng).xeger(schema["pattern"]) for _ in range(50))
        found = (part for text in drawn for part in (text, text[: schema.get("maxLength")]))
        return next((text for text in found if fits(text)), "")
    least = schema.get("minLength", min(1, schema.get("maxLength", 1)))
    length = rng.randint(least, schema.get("maxLength", least + 7))
    word = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=min(length, DRAWN)))
    return (word * (length // DRAWN + 1))[:length]
