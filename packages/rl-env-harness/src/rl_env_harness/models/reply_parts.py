"""The parts of a reply in their many formats: texts, reasoning and token counts."""

import json
from collections.abc import Mapping
from typing import Any


def text_of(content: Any) -> tuple[str, str]:
    """Return the text and reasoning in a message's content. The content is a text, a list of parts, or None."""
    parts = parts_of(content)
    said = [part for part in parts if not _thinks(part)]
    thought = [part for part in parts if _thinks(part)]
    return "".join(map(text_of_part, said)), "".join(map(text_of_part, thought))


def parts_of(content: Any) -> list[Any]:
    """Return the parts of a message's content as a list, even if the content is a single part."""
    found = content if isinstance(content, list | tuple) else [content]
    return [part for part in found if part is not None]


def _thinks(part: Any) -> bool:
    return isinstance(part, Mapping) and part.get("type") in ("thinking", "reasoning")


def text_of_part(part: Any) -> str:
    """Return the text of a part of a message, whichever field holds the text."""
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return json.dumps(part)
    for key in ("text", "thinking", "refusal", "content", "summary"):
        if part.get(key):
            return "".join(map(text_of_part, parts_of(part[key])))
    return ""


def usage_of(usage: Any) -> dict[str, int]:
    """Return the reported token counts under this package's names."""
    found: dict[str, int] = {}
    for name, key, place in _COUNTED:
        counts = usage.get(place) if place and isinstance(usage, Mapping) else usage
        count = counts.get(key) if isinstance(counts, Mapping) else None
        if type(count) is int:
            found.setdefault(name, count)
    return found


_DETAILS = ("completion_tokens_details", "output_tokens_details")
_OF_PROMPT = ("prompt_tokens_details", "input_tokens_details")
_COUNTED = (
    *(("input_tokens", key, "") for key in ("prompt_tokens", "input_tokens")),
    *(("output_tokens", key, "") for key in ("completion_tokens", "output_tokens")),
    *(("reasoning_tokens", "reasoning_tokens", place) for place in _DETAILS),
    *(("cached_tokens", "cached_tokens", place) for place in _OF_PROMPT),
)
"""Each count: its names, and the part of the usage that contains it."""
