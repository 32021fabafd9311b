"""Calls with random arguments, written as text actions."""

from __future__ import annotations

import json
import random
from typing import Any
from xml.sax.saxutils import escape

from jsonschema import Draft202012Validator

from ..env_spec import TAGS
from ..tool_rules import MESSAGE, RULES

TRIES = 50
"""Maximum texts to generate for a pattern until one also satisfies the argument's other rules."""


def random_message(chance: random.Random) -> str:
    """Return a call of a random tool with random arguments that fit the tool's schema.

    The state of `chance` determines the call.
    """
    tool, schema = chance.choice(list(RULES.items()))
    if tool == MESSAGE and tool not in TAGS:
        return str(_value({"type": "string"}, chance))  # a few letters: its own bound is a page
    if tool not in TAGS:  # of the tools that this task offers, or none
        given = {name: _value(field, chance) for name, field in schema["properties"].items()}
        return f"<tool_call>{json.dumps({'name': tool, 'arguments': given})}</tool_call>"
    text = f"<{TAGS[tool]}"
    for name, field in schema["properties"].items():
        if name in schema["required"] or chance.random() < 0.5:
            value = _value(field, chance)
            written = value if isinstance(value, str) else json.dumps(value)
            written = escape(written, {'"': "&quot;"})
            text += f' {name}="{written}"'
    return f"{text}/>"


def _value(field: dict[str, Any], chance: random.Random) -> Any:
    if choices := field.get("anyOf"):
        return _value(chance.choice(choices), chance)
    kind = field.get("type")
    if kind == "object":
        fields = field.get("properties", {}).items()
        asked = field.get("required", ())
        return {
            k: _value(each, chance) for k, each in fields if k in asked or chance.random() < 0.5
        }
    if kind == "null":
        return None
    if kind == "boolean":
        return chance.random() < 0.5
    if kind in ("integer", "number"):
        low = field.get("minimum", field.get("maximum", 100) - 100)
        high = field.get("maximum", low + 100)
        return chance.randint(low, high) if kind == "integer" else chance.uniform(low, high)
    if kind == "array":
        least = field.get("minItems", 0)
        count = chance.randint(least, field.get("maxItems", least + 3))
        return [_value(field["items"], chance) for _ in range(count)]
    if "enum" in field:
        return chance.choice(field["enum"])
    if "pattern" in field:
        import rstr  # imported here: a variant requires it only if one of its tools has a pattern

        fits = Draft202012Validator(field).is_valid
        found = (rstr.Rstr(chance).xeger(field["pattern"]) for _ in range(TRIES))
        return next(filter(fits, found), "")
    least = field.get("minLength", min(1, field.get("maxLength", 1)))
    count = chance.randint(least, field.get("maxLength", least + 7))
    return "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=count))
