"""Text and JSON from models, cleaned for transport. `skill-tools render` overwrites this file."""

import json
import math
from collections.abc import Mapping
from typing import Any, TypeVar, cast

Data = TypeVar("Data")

UNPARSED = "_raw"
"""Argument name under which a driver passes on arguments that were not a JSON object."""

_MOST_LEVELS = 64  # more than any tool takes, and fewer than some JSON parsers refuse
_DEEP = "nested too deeply"
_KINDS = {list: "a list", str: "a string", bool: "true or false", type(None): "null"}


def clean(text: str) -> str:
    """Return text that every client can send. Lone surrogates become replacement characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def clean_all(data: Data) -> Data:
    """Return data in which every text is clean. Values that are not JSON remain unchanged.

    If the data is already clean, the same object is returned, so that later changes to a task remain visible.
    """
    found: Any = data
    if isinstance(found, str):
        found = clean(found)
    elif type(found) is list:
        found = [clean_all(each) for each in found]
    elif type(found) is dict:
        found = {clean_all(key): clean_all(value) for key, value in found.items()}
    else:
        return data  # by identity, because arrays compare element by element
    return data if found == data else cast(Data, found)


def plain(value: Any, levels: int = 100) -> Any:
    """Convert any value to JSON data that every client can send.

    Lone surrogates become replacement characters. Numbers that JSON does not have become null. Values below the
    maximum depth become a marker.
    """
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, bool | int | None) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, float):
        return None
    if isinstance(value, Mapping):
        return {clean(str(k)): plain(v, levels - 1) for k, v in value.items()} if levels else _DEEP
    if isinstance(value, list | tuple):
        return [plain(each, levels - 1) for each in value] if levels else _DEEP
    return clean(str(value))


def read_arguments(said: Any) -> dict[str, Any]:
    """Return a model's arguments as an object. Anything else is wrapped in an object that the world refuses.

    Arguments are text, or an object if a server has already parsed them. No arguments mean an empty object.
    """
    if said is None:
        return {}
    try:
        text = said if isinstance(said, str) else json.dumps(said)
        arguments = read_json(text.strip() or "{}")
    except (TypeError, ValueError, RecursionError):
        return {UNPARSED: clean(str(said))}
    return arguments if isinstance(arguments, dict) else {UNPARSED: text}


def read_json(text: str) -> Any:
    """Return a JSON value that every client can send. Raise ValueError for anything else.

    Line breaks and tabs within strings may be unescaped, as models write them in code.
    """
    try:
        value = json.loads(text, strict=False, parse_int=_whole_number)
        # Python reads NaN, 1e999 and lone surrogates, but clients cannot send them.
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        deep = _depth(value) > _MOST_LEVELS
    except RecursionError:
        deep = True
    if deep:
        raise ValueError(_DEEP)
    return value


def why_no_object(text: str) -> str:
    """Explain to the model why its arguments are not a JSON object. Return "" if the reason is unknown."""
    start = text.strip()
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(start)
    except json.JSONDecodeError as error:
        if start[:1] != "{":
            return ""
        if error.pos >= len(start) or error.msg.startswith("Unterminated string"):
            return "the text ends before the object does"
        return "it is not valid JSON"  # Python's own messages differ between its releases
    except (ValueError, RecursionError):
        return "it holds a number that is too large, or is nested too deeply"
    if start[end:]:
        return "there is more text after the first value"
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        return "it is a string that holds JSON; give the object itself"
    if isinstance(value, dict):
        return _why_refused(start)
    kind = "a number" if isinstance(value, int | float) and not isinstance(value, bool) else None
    return f"it is {kind or _KINDS[type(value)]}"


def _why_refused(text: str) -> str:
    """Return the reason why a JSON object cannot be sent, or ""."""
    try:
        read_json(text)
    except UnicodeEncodeError:
        return "it holds half of a surrogate pair"
    except ValueError as error:
        deep = str(error) == _DEEP
        return f"it is {_DEEP}" if deep else "it holds a number that JSON does not have"
    return ""


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)


def _whole_number(digits: str) -> int | float:
    # Not an integer of any size: one beyond a double's range is refused like 1e999.
    return int(digits) if math.isfinite(float(digits)) else math.inf
