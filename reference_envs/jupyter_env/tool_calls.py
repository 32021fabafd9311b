"""Tool calls as chat models write them, and the messages that answer them.

Rendered from env.yaml; `skill-tools render` overwrites it.
"""

from __future__ import annotations

import json
import math
from typing import Any

from . import episode

_MOST_LEVELS = 64  # more than any tool takes, and fewer than some JSON readers refuse


def read_arguments(text: str | None) -> dict[str, Any]:
    """A model's arguments as an object; text that is none is passed on for the world to refuse."""
    try:
        arguments = read_json(text or "{}")
    except ValueError:
        return {episode.UNPARSED: str(text)}
    return arguments if isinstance(arguments, dict) else {episode.UNPARSED: str(text)}


def read_json(text: str) -> Any:
    """A JSON value that every client can send on. Raises ValueError for anything else.

    Line breaks and tabs within strings may be unescaped, as models write them in code.
    """
    try:
        value = json.loads(
            text, strict=False, parse_constant=_refuse, parse_float=_finite, parse_int=_bounded
        )
        # Half of a surrogate pair is valid JSON, but no client can send it on.
        json.dumps(value, ensure_ascii=False).encode()
        deep = _depth(value) > _MOST_LEVELS
    except RecursionError:
        deep = True
    if deep:
        raise ValueError("nested too deeply")
    return value


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)


def _refuse(number: str) -> float:
    raise ValueError(f"{number} is not a JSON number")


def _bounded(number: str) -> int:
    _finite(number)
    return int(number)


def _finite(number: str) -> float:
    value = float(number)
    return value if math.isfinite(value) else _refuse(number)


def tool_messages(
    call_id: str, blocks: list[dict[str, Any]]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The tool message of an observation, and user messages for its images.

    Chat endpoints take images from users only, and want all tool messages of a turn together.
    """
    text = "\n".join(block["text"] for block in blocks if block["type"] == "text")
    content = [
        {"type": "image_url", "image_url": {"url": f"data:{b['media_type']};base64,{b['data']}"}}
        for b in blocks
        if b["type"] == "image"
    ]
    note = "(an image follows)" if content else ""
    answer = {"role": "tool", "tool_call_id": call_id, "content": text or note}
    return answer, [{"role": "user", "content": content}] if content else []
