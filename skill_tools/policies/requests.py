"""Requests to a policy server: how one is read, what is wrong with it, and in what real servers differ."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

EXTRA = "extra_forbidden"
"""Pydantic's code for a field that a server does not know, at servers that check with it."""


@dataclass(frozen=True)
class ServerQuirks:
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


def describe(problems: Sequence[Wrong]) -> str:
    """The first problems as one sentence, each with its place."""
    shown = [f"{one.place}: {one.says}" if one.place else one.says for one in problems[:3]]
    more = f" (and {len(problems) - 3} more)" if len(problems) > 3 else ""
    return "; ".join(shown) + more


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


STRICT = json.JSONDecoder(parse_constant=_no_constant)


def read(raw: bytes) -> dict[str, Any]:
    """A request's body; raises ValueError as a parser in Rust or C++ does, which Python's does not."""
    text = raw.decode("utf-8")  # Python's json lets half a surrogate pair pass
    body = STRICT.decode(text)
    if not isinstance(body, dict):
        raise json.JSONDecodeError("not an object", text, 0)
    # llama.cpp (nlohmann::json), TGI (serde): "surrogate U+D800..U+DBFF must be followed by ..."
    if "\\ud" in text or "\\uD" in text:
        json.dumps(body, ensure_ascii=False).encode("utf-8")
    return body
