"""The part of a parameter's JSON Schema that every model server accepts; the description states the rest in
words.

A model's server turns tool schemas into a grammar or checks them against its own dialect, and one unsupported
keyword makes the whole request fail. For example, llama.cpp answers "failed to parse grammar" to a
``maxLength`` of 8000, and Gemini refuses an empty string in an ``enum``. docs/tool_schemas.md lists the
keywords that each server refuses. The environment enforces the whole schema itself, so no rule is lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

MOST_LENGTH = 1000
"""Maximum characters; llama.cpp refuses 2,000 and more."""
MOST_ITEMS = 20
"""Maximum items in a list; Gemini refuses tools whose lists may have about 960 items in total."""
MOST_NUMBER = 2**53
"""Larger JSON numbers are no longer exact, and llama.cpp's integers end soon after."""
LONGEST_NAME = 64
"""Maximum characters of a tool's or parameter's name: OpenAI, Gemini and Anthropic refuse more."""

_ATOM = r"(?:[\w ,:;/@#%&=!~'<>-]|\\[.+*?()\[\]{}|^$]|\[(?:[^\W_](?:-[^\W_])?|[_ ,:;/@#%&=!~'.()+*?])+-?\])"
_TIMES = r"(?:[*+?]|\{\d{1,2}(?:,\d{0,2})?\})?"
_RUN = rf"(?:{_ATOM}{_TIMES})+"
_GROUP = rf"\({_RUN}(?:\|{_RUN})*\){_TIMES}"
_PLAIN = re.compile(rf"\^(?:{_ATOM}{_TIMES}|{_GROUP})+\$", re.ASCII)
_STRUCTURE = frozenset(
    {"type", "description", "default", "properties", "required", "items", "anyOf"}
    | {"additionalProperties"}
)
"""Keywords that every server reads, whatever their values."""
_BOUNDS = (
    ("minimum", "maximum", ""),
    ("minLength", "maxLength", " characters"),
    ("minItems", "maxItems", " items"),
)
_WORDED = frozenset({name for low, high, _ in _BOUNDS for name in (low, high)}) | {
    *("pattern", "enum", "items"),
}
"""Keywords that have words of their own in a description; the others are written as JSON."""

_RULES = {"uniqueItems": "no item twice"}
"""Words for keywords whose value says nothing more."""


def shown(field: Mapping[str, Any]) -> dict[str, Any]:
    """Return a parameter's schema as models see it. The description states the keywords that are left out."""
    rest = left_out(field)
    description = str(field.get("description", ""))
    if rest and not _says(description, rest):
        description = description.rstrip()
        description += ". " if description[-1:].isalnum() else " " if description else ""
        description += f"Allowed: {', '.join(_words(rest))}."
    kept = {key: value for key, value in field.items() if key == "items" or key not in rest}
    if "const" in rest and _taken("enum", [rest["const"]]):
        kept |= {"type": "string", "enum": [rest["const"]]}
    if "oneOf" in field:
        kept["anyOf"] = field["oneOf"]
    if isinstance(kept.get("items"), Mapping):
        inner = _kept(kept["items"], rest["items"]) if "items" in rest else shown(kept["items"])
        kept["items"] = inner
    elif kept.get("type") == "array":
        kept["items"] = {}
    if "properties" in kept:
        kept["properties"] = {name: shown(each) for name, each in kept["properties"].items()}
    if "anyOf" in kept:
        kept["anyOf"] = [shown(each) for each in kept["anyOf"]]
    if isinstance(kept.get("additionalProperties"), Mapping):
        kept["additionalProperties"] = shown(kept["additionalProperties"])
    return kept | ({"description": description} if description else {})


def left_out(field: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords that some servers refuse, from a parameter's schema and from the schema of its plain
    items."""
    rest = {key: value for key, value in field.items() if not _taken(key, value)}
    if "pattern" in field and "pattern" not in rest:
        # xgrammar silently drops a length next to a pattern; vLLM refuses the request.
        rest |= {key: field[key] for key in ("minLength", "maxLength") if key in field}
    items = field.get("items")
    if isinstance(items, Mapping) and is_plain(items) and (inner := left_out(items)):
        rest["items"] = inner
    return rest


def is_plain(field: Mapping[str, Any]) -> bool:
    """Return whether a schema describes values without parts: no objects, no lists and no choice of types."""
    return field.get("type") in ("string", "integer", "number", "boolean", "null")


def bounds(field: Mapping[str, Any]) -> list[str]:
    """Return the bounds of a JSON Schema as text, such as `1 to 7`, `5 characters` or `matching [a-z]+`."""
    parts = []
    for low, high, what in _BOUNDS:
        least, most = field.get(low), field.get(high)
        if least is not None and most is not None:
            parts.append(f"{least}{what}" if least == most else f"{least} to {most}{what}")
        elif least is not None:
            parts.append(f"at least {least}{what}")
        elif most is not None:
            parts.append(f"at most {most}{what}")
    if "pattern" in field:
        parts.append(f"matching {field['pattern']}")
    return parts


def other_rules(field: Mapping[str, Any]) -> list[str]:
    """Return the rules of a JSON Schema that ``bounds`` does not describe, as JSON, such as `format "date"`."""
    without = _WORDED | _STRUCTURE | {"oneOf"}
    found = [key for key in field if key not in without]
    return [_RULES.get(key) or f"{key} {json.dumps(field[key])}" for key in found]


def _taken(key: str, value: Any) -> bool:
    if key in ("minLength", "maxLength"):
        return bool(value <= MOST_LENGTH)
    if key in ("minItems", "maxItems"):
        return bool(value <= MOST_ITEMS)
    if key in ("minimum", "maximum"):
        return bool(abs(value) <= MOST_NUMBER)
    if key == "enum":
        return all(isinstance(each, str) and each for each in value)
    if key == "pattern":
        return bool(_PLAIN.fullmatch(value))
    return key in _STRUCTURE


def _kept(field: Mapping[str, Any], rest: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in field.items() if key not in rest}


def _words(rest: Mapping[str, Any]) -> list[str]:
    parts = bounds(rest)
    if "enum" in rest:
        parts.append(f"one of {', '.join(map(json.dumps, rest['enum']))}")
    if "items" in rest:
        parts.append(f"each {', '.join(_words(rest['items']))}")
    return parts + other_rules(rest)


def _says(description: str, rest: Mapping[str, Any]) -> bool:
    """Return whether a description states every value that is left out. For example, 8000 may be written as 8,000."""
    plain = re.sub(r"(?<=\d)[,_' \u00a0\u202f](?=\d{3}\b)", "", description)
    return all(
        _says(description, value)
        if key == "items"
        else all(json.dumps(each) in description for each in value)
        if key == "enum"
        else value in description
        if key == "pattern"
        else json.dumps(value) in description
        if key not in _WORDED
        else bool(re.search(rf"(?<![\w.]){re.escape(str(value))}(?!\w|\.\d)", plain))
        for key, value in rest.items()
    )
