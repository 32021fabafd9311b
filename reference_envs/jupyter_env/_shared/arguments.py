"""Text and JSON as models write them, fit to be sent on. `skill-tools render` overwrites this file."""

import json
import math
from typing import Any

UNPARSED = "_raw"
"""Argument name under which a driver passes on arguments that were not a JSON object."""

_MOST_LEVELS = 64  # more than any tool takes, and fewer than some JSON readers refuse
_KINDS = {list: "a list", str: "a string", bool: "true or false", type(None): "null"}


def clean(text: str) -> str:
    """Text that every client can send on: half of a surrogate pair becomes a replacement character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def read_arguments(said: Any) -> dict[str, Any]:
    """A model's arguments as an object; what is none is passed on for the world to refuse.

    They are text, or an object where a server has read it already; none at all is an empty object.
    """
    if said is None:
        return {}
    try:
        text = said if isinstance(said, str) else json.dumps(said)
        arguments = read_json(text or "{}")
    except (TypeError, ValueError, RecursionError):
        return {UNPARSED: clean(str(said))}
    return arguments if isinstance(arguments, dict) else {UNPARSED: text}


def read_json(text: str) -> Any:
    """A JSON value that every client can send on. Raises ValueError for anything else.

    Line breaks and tabs within strings may be unescaped, as models write them in code.
    """
    try:
        value = json.loads(text, strict=False, parse_int=_whole_number)
        # Python reads NaN, 1e999 and half of a surrogate pair, but no client can send them on.
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        deep = _depth(value) > _MOST_LEVELS
    except RecursionError:
        deep = True
    if deep:
        raise ValueError("nested too deeply")
    return value


def why_no_object(text: str) -> str:
    """What is wrong with arguments that are no JSON object, for a model to act on; "" if unknown."""
    start = text.lstrip()
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(start)
    except json.JSONDecodeError as error:
        ended = error.pos >= len(start.rstrip()) or error.msg.startswith("Unterminated string")
        return "the text ends before the object does" if start[:1] == "{" and ended else ""
    except (ValueError, RecursionError):
        return ""
    if start[end:].strip():
        return "there is more text after the first value"
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        return "it is a string that holds JSON; give the object itself"
    kind = "a number" if isinstance(value, int | float) and not isinstance(value, bool) else None
    kind = kind or _KINDS.get(type(value))
    return f"it is {kind}" if kind else ""


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)


def _whole_number(digits: str) -> int | float:
    # Not a Python integer of any size: one beyond a double's range is refused like 1e999.
    return int(digits) if math.isfinite(float(digits)) else math.inf
