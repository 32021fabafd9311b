"""Limit a foreign environment's data to sizes and types that are safe to keep.

Runs in the venv of a framework, without skill-tools: standard library only.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Iterator
from typing import Any

LONGEST_TEXT = 20_000
"""Maximum characters of a text to keep: more than a model reads in one observation."""
MOST_ITEMS = 500
"""Maximum items of a list or object to keep; no model reads a longer one to its end."""
DEEPEST = 24
"""Maximum depth to keep: deeper than schemas, and far below Python's recursion limit."""
LARGEST_PICTURE = 2_000_000
"""Maximum characters of an encoded picture to keep: a screen as PNG has fewer."""
CUT = re.compile(r"… \((\d{1,15}) characters in all\)$")
"""The marker at the end of a text that was cut."""
SAY: dict[str, Any] = {
    "name": "say",
    "description": "What the model writes.",
    "parameters": {
        "type": "object",
        "properties": {"text": {"type": "string", "description": "The message."}},
        "required": ["text"],
    },
}
"""The pseudo-tool of a model that acts through text."""


def is_text(tool: str, offered: list[dict[str, Any]]) -> bool:
    """Return whether a call is a message of the model instead of a tool call.

    If the environment itself offers a tool with the name that is reserved for messages, the call is a tool call.
    """
    return tool == SAY["name"] and all(each["name"] != tool for each in offered)


DEEPEST_ANSWER = 6
"""Maximum depth of lists and objects to search: usual states are less deep, hostile ones may be arbitrarily deep."""
MOST_NAMED = 5
"""Maximum number of names reported, in a message of one line."""
ANSWER = re.compile(
    r"(\w{1,40}_)?(answers?|solutions?|secrets?|ground_?truth)(_(word|number|code|text|value))?",
    re.IGNORECASE,
)
"""Names of fields that contain a task's solution."""


class Broken(Exception):
    """An error of the environment that leaves an episode without a score. ``kind`` is one word for the reason."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        super().__init__(message)


def bounded(value: Any, depth: int = DEEPEST) -> Any:
    """Return a value as JSON data of bounded size. A mark shows each place at which data was cut."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return cut(value)
    if isinstance(value, int):
        return value if abs(value) < 2**53 else str(value)[:100]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if depth == 0:
        return "… (too deep)"
    if isinstance(value, dict):
        pairs = list(value.items())[:MOST_ITEMS]
        return {cut(str(key), 200): bounded(inner, depth - 1) for key, inner in pairs}
    if isinstance(value, list | tuple | set | frozenset):
        return [bounded(inner, depth - 1) for inner in list(value)[:MOST_ITEMS]]
    for as_data in ("model_dump", "_asdict"):
        if hasattr(value, as_data):
            return bounded(getattr(value, as_data)(), depth - 1)
    return cut(str(value))


def cut(text: str, longest: int = LONGEST_TEXT) -> str:
    """Return a text of bounded length that can be encoded as UTF-8."""
    whole = text if len(text) <= longest else f"{text[:longest]}… ({len(text)} characters in all)"
    return whole.encode("utf-8", "replace").decode("utf-8")


def shown_length(block: dict[str, Any]) -> int:
    """Return the original length of a block's text, which may have been cut."""
    text = block.get("text", "")
    found = CUT.search(text[-40:]) if len(text) > LONGEST_TEXT else None
    return int(found[1]) if found else len(text)


def text_block(text: Any) -> dict[str, Any]:
    """Return a text as a block of an observation."""
    return {"type": "text", "text": cut(text if isinstance(text, str) else str(text))}


def image_block(data: Any, media_type: Any) -> dict[str, Any]:
    """Return a picture as a block of an observation, or a text block if the picture is missing or too large."""
    if not isinstance(data, str) or len(data) > LARGEST_PICTURE:
        return text_block("(a picture that is too large, or none)")
    return {"type": "image", "media_type": cut(str(media_type), 100), "data": data}


def read_reward(value: Any) -> float | None:
    """Return a reward as a finite number, or None for no reward. Raise Broken for any other value."""
    if value is None:
        return None
    if isinstance(value, str | bytes | list | tuple | dict):
        raise Broken("reward", f"the reward is {cut(repr(value), 100)}, which is not a number")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise Broken("reward", f"the reward is not a number: {cut(str(error), 200)}") from error
    if not math.isfinite(number):
        raise Broken("reward", f"the reward is {number}, which is not finite")
    return number


def read_done(value: Any) -> bool:
    """Return whether the episode is over. Raise Broken if the value is neither true nor false."""
    if value is None or isinstance(value, bool):
        return bool(value)
    if type(value).__name__ in ("bool_", "bool"):  # numpy's
        return bool(value)
    raise Broken("done", f"done is {cut(repr(value), 100)}, which is neither true nor false")


def read_json(written: Any) -> Any:
    """Return the value of a JSON text. Return anything else unchanged."""
    with contextlib.suppress(ValueError, TypeError, RecursionError):
        return json.loads(written)
    return written


def as_tool(name: Any, description: Any, schema: Any) -> dict[str, Any]:
    """Return a tool's name, description and schema as models receive them. The schema may be invalid."""
    tool = {"name": cut(str(name), 200), "description": cut(str(description or ""))}
    return {**tool, "parameters": bounded(schema)}


def name_answers(said: Any) -> list[str]:
    """Return the names of the answer fields in JSON data that are not empty."""
    return sorted(set(_walk(said, DEEPEST_ANSWER)))[:MOST_NAMED]


def _walk(said: Any, depth: int) -> Iterator[str]:
    if isinstance(said, list) and depth:
        for each in said:
            yield from _walk(each, depth - 1)
    for name, value in said.items() if isinstance(said, dict) and depth else ():
        if ANSWER.fullmatch(name) and value not in (None, "", 0, [], {}):
            yield name
        else:
            yield from _walk(value, depth - 1)
