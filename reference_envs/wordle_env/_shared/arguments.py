"""Text and JSON as models write them, fit to be sent on. `skill-tools render` overwrites this file."""

import json
import math
from collections.abc import Mapping
from typing import Any, TypeVar, cast

Data = TypeVar("Data")

UNPARSED = "_raw"
"""Argument name under which a driver passes on arguments that were not a JSON object."""

_MOST_LEVELS = 64  # more than any tool takes, and fewer than some JSON readers refuse
_DEEP = "nested too deeply"
_KINDS = {list: "a list", str: "a string", bool: "true or false", type(None): "null"}


def clean(text: str) -> str:
    """Text that every client can send on: half of a surrogate pair becomes a replacement character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def clean_all(data: Data) -> Data:
    """Data with every text of it clean; what is no JSON in it stays as it is.

    Clean data is returned itself and not a copy: what somebody does to a task can be seen in it.
    """
    found: Any = data
    if isinstance(found, str):
        found = clean(found)
    elif type(found) is list:
        found = [clean_all(each) for each in found]
    elif type(found) is dict:
        found = {clean_all(key): clean_all(value) for key, value in found.items()}
    else:
        return data  # and not compared: an array says of each of its numbers whether it is equal
    return data if found == data else cast(Data, found)


def plain(value: Any, levels: int = 100) -> Any:
    """JSON data that every client can send on, whatever was in its place.

    Half of a surrogate pair becomes a replacement character, a number that JSON does not have
    null, and what lies deeper than so many levels a mark.
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
    """A model's arguments as an object; what is none is passed on for the world to refuse.

    They are text, or an object where a server has read it already; none at all is an empty object.
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
        raise ValueError(_DEEP)
    return value


def why_no_object(text: str) -> str:
    """What is wrong with arguments that are no JSON object, for a model to act on; "" if unknown."""
    start = text.strip()
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(start)
    except json.JSONDecodeError as error:
        if start[:1] != "{":
            return ""
        if error.pos >= len(start) or error.msg.startswith("Unterminated string"):
            return "the text ends before the object does"
        return "it is not valid JSON"  # Python's own words differ between its releases
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
    """What of a JSON object cannot be sent on."""
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
    # Not a Python integer of any size: one beyond a double's range is refused like 1e999.
    return int(digits) if math.isfinite(float(digits)) else math.inf
