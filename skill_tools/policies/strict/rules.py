"""What every API refuses alike: the policy endpoint reads a request as the strictest real server does.

A rule is a function of the request that tells its problems. What a real server refuses is an error
of whoever asked, so it is refused here too, by default, in every build and test. Each rule names a
server that has it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch
"""A function's name at OpenAI, Mistral and Anthropic."""
UNKNOWN = "unknown_parameter"
"""OpenAI's code for a field that it does not know."""
EXTRA = "extra_forbidden"
"""Pydantic's code for the same, at servers that check with it."""
NUMBER = (int, float)
WHOLE = (int,)
TEXT = (str,)
FLAG = (bool,)
"""The types of a field's value in Python; True is an int there, and taken for a FLAG alone."""


@dataclass(frozen=True)
class Manners:
    """In what real servers differ; the defaults are what all consumers of ours must bear.

    users_after_tools: OpenAI and vLLM take a user message after a tool message; Mistral does not.
    pictures_in_tools: a tool message may hold pictures; OpenAI refuses that, llama.cpp does not.
    reasoning_back: an assistant message may hold its reasoning; Mistral and Groq refuse that.
    labels_in_body: `user` and, in chat, `metadata` are taken: for runners that send no headers.
    untyped_messages: a message of Responses needs no type; all known servers take that today, and NeMo
    Gym's own gymnasium_agent needs it. Ours says the type, which is what vLLM reads items by.
    streams_by_default: a request that does not name `stream` is streamed to, as `transformers serve` does.
    context: the longest conversation in tokens, counted as `tokens` does.
    overflow: whose body tells that it is longer: a key of `tokens.OVERFLOWS`.
    """

    users_after_tools: bool = True
    pictures_in_tools: bool = False
    reasoning_back: bool = True
    labels_in_body: bool = False
    untyped_messages: bool = False
    streams_by_default: bool = False
    context: int | None = None
    overflow: str = "llama.cpp"


class Wrong(NamedTuple):
    """One problem of a request: where it is, and what a server says of it."""

    place: str
    says: str
    code: str | None = None


def words(text: str) -> frozenset[str]:
    """The names of fields, written with blanks between."""
    return frozenset(text.split())


def describe(problems: Sequence[Wrong]) -> str:
    """The first problems as one sentence, each with its place."""
    shown = [f"{one.place}: {one.says}" if one.place else one.says for one in problems[:3]]
    more = f" (and {len(problems) - 3} more)" if len(problems) > 3 else ""
    return "; ".join(shown) + more


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_STRICT = json.JSONDecoder(parse_constant=_no_constant)


def read(raw: bytes) -> dict[str, Any]:
    """A request's body; raises ValueError as a parser in Rust or C++ does, which Python's does not."""
    text = raw.decode("utf-8")  # Python's json lets half a surrogate pair pass
    body = _STRICT.decode(text)
    if not isinstance(body, dict):
        raise json.JSONDecodeError("not an object", text, 0)
    # llama.cpp (nlohmann::json), TGI (serde): "surrogate U+D800..U+DBFF must be followed by ..."
    if "\\ud" in text or "\\uD" in text:
        json.dumps(body, ensure_ascii=False).encode("utf-8")
    return body


def unknown(found: Mapping[str, Any], known: frozenset[str], place: str) -> Iterator[Wrong]:
    """Fields beyond those known: OpenAI 400, Mistral, Groq and `transformers serve` 422."""
    if found.keys() <= known:
        return
    for name in sorted(found.keys() - known):
        at = f"{place}.{name}" if place else name
        yield Wrong(at, f"Unknown parameter: '{at}'.", UNKNOWN)


def kinds(found: Mapping[str, Any], wanted: Mapping[str, tuple[type, ...]]) -> Iterator[Wrong]:
    """Settings of another type than they are documented with (OpenAI); null is as if left out."""
    for name, types in wanted.items():
        value = found.get(name)
        # True is a number to Python, to no server.
        fits = isinstance(value, types) and (types is FLAG or not isinstance(value, bool))
        if value is not None and not fits:
            names = " or ".join(each.__name__ for each in types)
            yield Wrong(name, f"Invalid type for '{name}': expected {names}, got {_kind(value)}")
        elif value is not None and name.startswith("max_") and value < 1:
            # vLLM: "max_tokens must be at least 1, got -186."
            yield Wrong(name, f"{name} must be at least 1, got {value}.")


def _kind(value: Any) -> str:
    return "null" if value is None else type(value).__name__


def expected(value: Any, what: str, place: str) -> Wrong:
    """A value of the wrong type, as OpenAI tells it."""
    return Wrong(place, f"Invalid type for '{place}': expected {what}, got {_kind(value)}.")


def filled(value: Any, place: str) -> Iterator[Wrong]:
    """An identity must be text, and not empty (OpenAI, Mistral, Anthropic)."""
    if not isinstance(value, str):
        yield expected(value, "a string", place)
    elif not value:
        yield Wrong(place, "empty string; expected one of length 1 or more")


def named(value: Any, place: str) -> Iterator[Wrong]:
    """A function's name must fit its pattern, in a call of the conversation too (OpenAI, Mistral)."""
    if not isinstance(value, str) or not NAME(value):
        says = f"Invalid name {value!r}: must be a-z, A-Z, 0-9, or contain underscores and dashes"
        yield Wrong(place, f"{says}, with a maximum length of 64.")


def arguments(value: Any, place: str) -> Iterator[Wrong]:
    """A call's arguments must be a JSON object as text: vLLM, llama.cpp and templates parse them."""
    if not isinstance(value, str):
        yield expected(value, "a string", place)
    elif says := _not_an_object(value):
        yield Wrong(place, says)


@lru_cache(4096)
def _not_an_object(text: str) -> str:
    try:
        found = _STRICT.decode(text)
    except (ValueError, RecursionError) as error:
        return f"the arguments are not JSON: {error}"
    return "" if isinstance(found, dict) else "the arguments are not a JSON object"


def schema(value: Any, place: str) -> Iterator[Wrong]:
    """Parameters must be the schema of an object, with its properties (OpenAI)."""
    if not isinstance(value, dict):
        yield expected(value, "an object", place)
    elif value.get("type") != "object":
        yield Wrong(place, f"schema must be of type 'object', got {value.get('type')!r}")
    elif not isinstance(value.get("properties"), dict):
        yield Wrong(place, "object schema missing properties")


def choices(body: Mapping[str, Any]) -> Iterator[Wrong]:
    """Settings that go with others only."""
    tools = body.get("tools")
    if tools is not None and (not isinstance(tools, list) or not tools):
        yield Wrong("tools", "[] is too short - 'tools'")  # OpenAI, Groq
    if tools is None:
        for name in ("tool_choice", "parallel_tool_calls"):
            if body.get(name) is not None:  # OpenAI, vLLM
                yield Wrong(name, f"'{name}' is only allowed when 'tools' are specified.")
    if body.get("stream_options") is not None and body.get("stream") is not True:  # OpenAI, vLLM
        says = "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        yield Wrong("stream_options", says)
