"""Find the schema keywords that a server's error message refuses, and remove them from the tools in requests.

The environment itself enforces the whole schema on calls, so only a hint to the model is lost.
"""

import json
import re
from collections.abc import Collection, Iterable
from typing import Any

STRUCTURE = frozenset({"type", "properties", "items", "required", "description"})
"""Keywords that are never removed from a schema, because they define its structure."""
SILENT = frozenset({"additionalProperties", "$schema", "title"})
"""Keywords that are removed without adding their meaning to the tool's description."""
_ABOUT = re.compile(
    r"tool|function|schema|parameter|propert|keyword|declaration|unknown (name|field)",
    re.IGNORECASE,
)


def refused(refusal: str, tools: Iterable[dict[str, Any]]) -> set[str]:
    """Return the keywords of the tools' schemas that a refusal names."""
    if not _ABOUT.search(refusal):
        return set()
    return {word for tool in tools for word in _keywords(_schema(tool)) if _named(refusal, word)}


def without(tools: list[dict[str, Any]], keywords: Collection[str]) -> list[dict[str, Any]]:
    """Return tools without these keywords. The description of a parameter states the removed keywords."""
    return [_lean_tool(tool, keywords) for tool in tools] if keywords else tools


def _schema(tool: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a tool's arguments. The tool may be in the format of any API."""
    tool = tool.get("function", tool)
    return tool.get("parameters") or tool.get("input_schema") or {}


def _lean_tool(tool: dict[str, Any], keywords: Collection[str]) -> dict[str, Any]:
    if "function" in tool:
        return {**tool, "function": _lean_tool(tool["function"], keywords)}
    place = next((key for key in ("parameters", "input_schema") if key in tool), None)
    return {**tool, place: _lean(tool[place], keywords)} if place else tool


def _lean(schema: dict[str, Any], keywords: Collection[str]) -> dict[str, Any]:
    gone = [key for key in schema if key in keywords]
    kept = {key: value for key, value in schema.items() if key not in gone}
    if "properties" in kept:
        kept["properties"] = {k: _lean(each, keywords) for k, each in kept["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(kept.get(key), dict):
            kept[key] = _lean(kept[key], keywords)
    if "anyOf" in kept:
        kept["anyOf"] = [_lean(each, keywords) for each in kept["anyOf"]]
    told = ", ".join(f"{key}: {json.dumps(schema[key])}" for key in gone if key not in SILENT)
    if told:
        kept["description"] = f"{kept.get('description', '')} ({told})".strip()
    return kept


def _keywords(schema: dict[str, Any]) -> set[str]:
    parts = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    inner = [each for each in (schema.get("items"), schema.get("additionalProperties")) if each]
    parts += [each for each in inner if isinstance(each, dict)]
    return set(schema).difference(STRUCTURE).union(*map(_keywords, parts))


def _named(refusal: str, word: str) -> bool:
    """Return whether a refusal names a keyword, in either spelling, and not as a part of a longer word."""
    snake = re.sub(r"(?<=[a-z])([A-Z])", r"_\1", word)
    words = f"{re.escape(word)}|{re.escape(snake)}"
    return bool(re.search(rf"(?<![A-Za-z0-9_])({words})(?![A-Za-z0-9_])", refusal, re.IGNORECASE))
