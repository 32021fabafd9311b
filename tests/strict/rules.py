"""What every API refuses: the policy endpoint of our tests reads a request as the strictest real server does.

A rule is a function of the request that yields its problems. Each names a server that has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from skill_tools.policies.requests import STRICT, Wrong

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch
"""A function's name at OpenAI, Mistral and Anthropic."""
UNKNOWN = "unknown_parameter"
"""OpenAI's code for a field that it does not know."""
NUMBER = (int, float)
WHOLE = (int,)
TEXT = (str,)
FLAG = (bool,)
"""The types of a field's value in Python; True is an int there, and taken for a FLAG alone."""


def words(text: str) -> frozenset[str]:
    """The names of fields, written with blanks between."""
    return frozenset(text.split())


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
        found = STRICT.decode(text)
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
