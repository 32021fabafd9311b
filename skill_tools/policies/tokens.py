"""A policy server's token counts, in which four characters of text are one token, and a picture is 256 tokens.

The count is simple but consistent. It includes every text of a request's conversation and tools,
and a reply's text, names and arguments. The count therefore grows with tools and with turns.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skill_tools.policies.scripted import Call, Turn

CHARACTERS = 4
PICTURE = 256
_CONVERSATION = ("messages", "input", "system", "instructions")
_PICTURES = ("image_url", "input_image", "image", "computer_screenshot")
OVERFLOWS = ("llama.cpp", "vllm", "vllm-0.9", "openai")
"""Servers whose refusal of an overlong conversation can be imitated."""


@dataclass(frozen=True)
class Said:
    """A turn as it is sent, possibly cut, with the number of tokens in the request and in the reply."""

    turn: Turn
    cut: bool
    asked: int
    answered: int


def of_request(body: Mapping[str, Any]) -> int:
    """Return the number of tokens in a request."""
    said = sum(_characters(body[part]) for part in _CONVERSATION if body.get(part))
    tools = json.dumps(body["tools"], separators=(",", ":")) if body.get("tools") else ""
    return _tokens(said + len(tools))


def of_turn(turn: Turn) -> int:
    """Return the number of tokens in a reply."""
    calls = sum(len(call.tool) + len(written(call)) for call in turn.calls)
    return _tokens(len(turn.text) + calls)


def written(call: Call) -> str:
    """Return a call's arguments as they are sent."""
    return call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)


def within(turn: Turn, asked: int, most: int | None) -> Said:
    """Return a turn within a token limit.

    The text takes the limit's tokens first, then the calls; the parts beyond the limit are dropped.
    """
    if most is None or of_turn(turn) <= most:
        return Said(turn, cut=False, asked=asked, answered=of_turn(turn))
    room = most * CHARACTERS
    text = turn.text[:room]
    room -= len(text)
    calls = []
    for call in turn.calls:
        room -= len(call.tool)
        if room <= 0:
            break
        calls.append(Call(call.tool, written(call)[:room]))
        room -= len(written(call))
    return Said(Turn(tuple(calls), text), cut=True, asked=asked, answered=most)


def overflow(whose: str, asked: int, wanted: int | None, context: int) -> dict[str, Any] | None:
    """Return the error body for a conversation that exceeds the context; None if the conversation fits."""
    if whose == "llama.cpp":  # it generates until its context is full
        says = "the request exceeds the available context size, try increasing it"
        about = {"code": 400, "message": says, "type": "exceed_context_size_error"}
        return (
            {"error": {**about, "n_prompt_tokens": asked, "n_ctx": context}}
            if asked >= context
            else None
        )
    if asked + (wanted or 1) <= context:
        return None
    says = (
        f"This model's maximum context length is {context} tokens. However, you requested"
        f" {asked + (wanted or 0)} tokens ({asked} in the messages, {wanted or 0} in the completion)."
        " Please reduce the length of the messages or completion."
    )
    error = {"message": says, "type": "BadRequestError", "param": None, "code": 400}
    if whose == "vllm-0.9":
        return {"object": "error", **error}
    if whose == "openai":
        error |= {"type": "invalid_request_error", "param": "messages"}
        error["code"] = "context_length_exceeded"
    return {"error": error}


def _characters(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list):
        return sum(map(_characters, value))
    if isinstance(value, dict):
        if value.get("type") in _PICTURES:
            return PICTURE * CHARACTERS
        return sum(map(_characters, value.values()))
    return 0


def _tokens(characters: int) -> int:
    return -(-characters // CHARACTERS)
