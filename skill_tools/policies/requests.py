"""Requests to a policy server, with their parsing, their problems, and the differences between real servers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

EXTRA = "extra_forbidden"
"""Pydantic's code for an unknown field, as reported by servers that validate with pydantic."""


@dataclass(frozen=True)
class ServerQuirks:
    """Differences between real servers; every rendered client must support the defaults.

    Attributes:
        users_after_tools: Whether a user message may follow a tool message; true at OpenAI and vLLM, false
            at Mistral.
        pictures_in_tools: Whether a tool message may contain pictures; true at llama.cpp, false at
            OpenAI.
        reasoning_back: Whether an assistant message may contain its reasoning; false at Mistral and
            Groq.
        labels_in_body: Whether `user` and, in chat, `metadata` are accepted, for runners that send
            no headers.
        untyped_messages: Whether a message of Responses needs no type; true of all known servers, and NeMo Gym's
            gymnasium_agent requires it. The rendered clients send the type, because vLLM needs it to read items.
        streams_by_default: Whether a request without `stream` is streamed, as by `transformers
            serve`.
        context: Maximum tokens of a conversation, as counted by `tokens`.
        overflow: The server whose error body reports a too long conversation, as a key of `tokens.OVERFLOWS`.
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
    """One problem in a request, with its place and a server's message."""

    place: str
    says: str
    code: str | None = None


def describe(problems: Sequence[Wrong]) -> str:
    """Return the first three problems as one text, with the place of each problem."""
    shown = [f"{one.place}: {one.says}" if one.place else one.says for one in problems[:3]]
    more = f" (and {len(problems) - 3} more)" if len(problems) > 3 else ""
    return "; ".join(shown) + more


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


STRICT = json.JSONDecoder(parse_constant=_no_constant)


def read(raw: bytes) -> dict[str, Any]:
    """Parse a request's body.

    Raises ValueError also for input that parsers in Rust or C++ reject, but Python's parser accepts.
    """
    text = raw.decode("utf-8")  # Python's json accepts half a surrogate pair
    body = STRICT.decode(text)
    if not isinstance(body, dict):
        raise json.JSONDecodeError("not an object", text, 0)
    # llama.cpp (nlohmann::json), TGI (serde): "surrogate U+D800..U+DBFF must be followed by ..."
    if "\\ud" in text or "\\uD" in text:
        json.dumps(body, ensure_ascii=False).encode("utf-8")
    return body
