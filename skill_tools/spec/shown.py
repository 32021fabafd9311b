"""The part of a parameter's JSON Schema that every model server accepts; the rest is put in words.

A model's server turns tool schemas into a grammar or checks them against its own dialect, and one
unsupported keyword costs the whole request: llama.cpp answers "failed to parse grammar" to a
``maxLength`` of 8000, Gemini to an empty string in an ``enum``. docs/tool_schemas.md lists which
server refuses what. The environment enforces the whole schema itself, so nothing is lost.
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
_BOUNDS = (
    ("minimum", "maximum", ""),
    ("minLength", "maxLength", " characters"),
    ("minItems", "maxItems", " items"),
)


def shown(field: Mapping[str, Any]) -> dict[str, Any]:
    """Return a parameter's schema as models see it, with the rest in its description."""
    rest = left_out(field)
    description = str(field.get("description", ""))
    if rest and not _says(description, rest):
        description = description.rstrip()
        description += ". " if description[-1:].isalnum() else " " if description else ""
        description += f"Allowed: {', '.join(_words(rest))}."
    return _without(field, rest) | ({"description": description} if description else {})


def left_out(field: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords in a parameter's schema, and in that of its items, that some servers refuse."""
    rest = {key: value for key, value in field.items() if not _taken(key, value)}
    if "pattern" in field and "pattern" not in rest:
        # xgrammar silently drops a length next to a pattern; vLLM refuses the request.
        rest |= {key: field[key] for key in ("minLength", "maxLength") if key in field}
    if "items" in field and (items := left_out(field["items"])):
        rest["items"] = items
    return rest


def bounds(field: Mapping[str, Any]) -> list[str]:
    """Return the bounds of a JSON Schema in words: `1 to 7`, `5 characters`, `matching [a-z]+`."""
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


def _taken(key: str, value: Any) -> bool:
    if key in ("minLength", "maxLength"):
        return bool(value <= MOST_LENGTH)
    if key in ("minItems", "maxItems"):
        return bool(value <= MOST_ITEMS)
    if key in ("minimum", "maximum"):
        return bool(abs(value) <= MOST_NUMBER)
    if key == "enum":
        return "" not in value
    return key != "pattern" or bool(_PLAIN.fullmatch(value))


def _without(field: Mapping[str, Any], rest: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in field.items() if key == "items" or key not in rest}
    return kept | ({"items": _without(kept["items"], rest["items"])} if "items" in rest else {})


def _words(rest: Mapping[str, Any]) -> list[str]:
    parts = bounds(rest)
    if "enum" in rest:
        parts.append(f"one of {', '.join(map(json.dumps, rest['enum']))}")
    if "items" in rest:
        parts.append(f"each {', '.join(_words(rest['items']))}")
    return parts


def _says(description: str, rest: Mapping[str, Any]) -> bool:
    """Return whether a description states every value that is left out: 8000 may be written as 8,000."""
    plain = re.sub(r"(?<=\d)[,_' \u00a0\u202f](?=\d{3}\b)", "", description)
    return all(
        _says(description, value)
        if key == "items"
        else all(f'"{each}"' in description for each in value)
        if key == "enum"
        else value in description
        if key == "pattern"
        else bool(re.search(rf"(?<![\w.]){re.escape(str(value))}(?!\w|\.\d)", plain))
        for key, value in rest.items()
    )
