"""What Anthropic's Messages API refuses of a request (see ``rules``)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from skill_tools.policies.requests import Wrong
from tests.strict.rules import (
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    expected,
    filled,
    kinds,
    named,
    schema,
    unknown,
    words,
)

# https://platform.claude.com/docs/en/api/messages
_FIELDS = words(
    "container context_management max_tokens mcp_servers messages metadata model output_config"
    " service_tier stop_sequences stream system temperature thinking tool_choice tools top_k"
    " top_p"
)
_SETTINGS = {
    "model": TEXT, "stream": FLAG, "temperature": NUMBER, "top_p": NUMBER, "top_k": WHOLE,
    "max_tokens": WHOLE, "stop_sequences": (list,), "metadata": (dict,), "tools": (list,),
}  # fmt: skip
_MESSAGE = frozenset({"role", "content"})
_BLOCKS = {
    "text": frozenset({"type", "text", "cache_control", "citations"}),
    "image": frozenset({"type", "source", "cache_control"}),
    "thinking": frozenset({"type", "thinking", "signature"}),
    "redacted_thinking": frozenset({"type", "data"}),
    "tool_use": frozenset({"type", "id", "name", "input", "cache_control", "caller"}),
    "tool_result": frozenset({"type", "tool_use_id", "content", "is_error", "cache_control"}),
}
_ASSISTANTS = frozenset({"text", "thinking", "redacted_thinking", "tool_use"})
_USERS = frozenset({"text", "image", "tool_result"})
_RESULTS = frozenset({"text", "image"})
_FUNCTION = frozenset({"type", "name", "description", "input_schema", "cache_control", "strict"})
_COMPUTER = words(
    "type name display_width_px display_height_px display_number enable_zoom cache_control"
)
_ID = re.compile(r"[A-Za-z0-9_-]+").fullmatch


def problems(body: Mapping[str, Any], headers: Mapping[str, str]) -> list[Wrong]:
    """Everything that the API refuses of a request; none if it takes it."""
    found = (
        []
        if headers.get("anthropic-version")
        else [Wrong("anthropic-version", "header is required")]
    )
    found += [*unknown(body, _FIELDS, ""), *kinds(body, _SETTINGS)]
    found += [Wrong(n, "Field required") for n in ("model", "max_tokens") if body.get(n) is None]
    if isinstance(body.get("metadata"), dict):
        found += unknown(body["metadata"], frozenset({"user_id"}), "metadata")
    found += _tools(body.get("tools"), headers.get("anthropic-beta", ""))
    if "system" in body:
        found += _blocks(body["system"], frozenset({"text"}), "system")
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return [*found, Wrong("messages", "at least one message is required")]
    shapes = [wrong for number, each in enumerate(messages) for wrong in _message(each, number)]
    return [*found, *(shapes or _order(messages))]


def _message(message: Any, number: int) -> Iterator[Wrong]:
    place = f"messages.{number}"
    role = message.get("role") if isinstance(message, dict) else None
    if role not in ("user", "assistant"):
        yield Wrong(f"{place}.role", "Input should be 'user' or 'assistant'")
        return
    yield from unknown(message, _MESSAGE, place)
    allowed = _ASSISTANTS if role == "assistant" else _USERS
    yield from _blocks(message.get("content"), allowed, f"{place}.content")


def _blocks(content: Any, allowed: frozenset[str], place: str) -> Iterator[Wrong]:
    if isinstance(content, str) and content:
        return
    if not isinstance(content, list | str):
        yield expected(content, "a string or a list of blocks", place)
        return
    if not content:
        says = "all messages must have non-empty content except for the optional final assistant message"
        yield Wrong(place, says)
    for number, block in enumerate(content):
        at = f"{place}.{number}"
        kind = block.get("type") if isinstance(block, dict) else None
        if not isinstance(kind, str) or kind not in allowed:
            tags = ", ".join(sorted(allowed))
            yield Wrong(f"{at}.type", f"Input tag {kind!r} does not match any of: {tags}")
            continue
        yield from unknown(block, _BLOCKS[kind], at)
        yield from _block(kind, block, at)


def _block(kind: str, block: Mapping[str, Any], at: str) -> Iterator[Wrong]:
    if kind == "text":
        if not isinstance(block.get("text"), str) or not block["text"].strip():
            yield Wrong(f"{at}.text", "text content blocks must be non-empty")
    elif kind == "image":
        source = block.get("source")
        if not isinstance(source, dict) or source.get("type") not in ("base64", "url"):
            yield expected(source, "a source", f"{at}.source")
    elif kind == "tool_use":
        if not isinstance(block.get("id"), str) or not _ID(block["id"]):
            yield Wrong(f"{at}.id", "String should match pattern '^[a-zA-Z0-9_-]+$'")
        yield from named(block.get("name"), f"{at}.name")
        if not isinstance(block.get("input"), dict):
            yield Wrong(f"{at}.input", "Input should be a valid dictionary")
    elif kind == "tool_result":
        yield from filled(block.get("tool_use_id"), f"{at}.tool_use_id")
        if block.get("content"):
            yield from _blocks(block["content"], _RESULTS, f"{at}.content")


def _order(messages: Sequence[Mapping[str, Any]]) -> Iterator[Wrong]:
    """Whether roles alternate, and every `tool_use` is answered once, first thing in what follows."""
    known: set[str] = set()
    waiting: set[str] = set()
    before = "assistant"
    for number, message in enumerate(messages):
        place, role = f"messages.{number}", message["role"]
        if role == before:
            says = (
                'roles must alternate between "user" and "assistant"'
                if number
                else ('first message must use the "user" role')
            )
            yield Wrong(f"{place}.role", says)
        before = role
        content = message["content"]
        blocks = content if isinstance(content, list) else []
        results = [block for block in blocks if block["type"] == "tool_result"]
        for at, block in enumerate(results):
            identity = block["tool_use_id"]
            if identity not in waiting:
                says = f"unexpected `tool_use_id` found in `tool_result` blocks: {identity}"
                yield Wrong(f"{place}.content.{at}", says)
            waiting.discard(identity)
        if waiting:
            yield Wrong(f"messages.{number - 1}", _unanswered(waiting))
        elif results and blocks[: len(results)] != results:
            says = "`tool_result` blocks must come before everything else in their message"
            yield Wrong(f"{place}.content", says)
        waiting = set()
        for at, block in enumerate(blocks):
            if block["type"] == "tool_use":
                if block["id"] in known:
                    yield Wrong(f"{place}.content.{at}.id", "`tool_use` ids must be unique")
                known.add(block["id"])
                waiting.add(block["id"])
    if waiting:
        yield Wrong(f"messages.{len(messages) - 1}", _unanswered(waiting))
    elif before == "assistant":
        yield Wrong("messages", "the conversation must end with a user message")


def _unanswered(waiting: set[str]) -> str:
    found = "`tool_use` ids were found without `tool_result` blocks immediately after: "
    return found + ", ".join(sorted(waiting))


def _tools(tools: Any, betas: str) -> Iterator[Wrong]:
    names: set[Any] = set()
    for number, tool in enumerate(tools if isinstance(tools, list) else ()):
        place = f"tools.{number}"
        if not isinstance(tool, dict):
            yield expected(tool, "an object", place)
            continue
        kind = tool.get("type", "custom")
        yield from named(tool.get("name"), f"{place}.name")
        if tool.get("name") in names:
            yield Wrong("tools", "Tool names must be unique.")
        names.add(str(tool.get("name")))
        if str(kind).startswith("computer_"):
            yield from unknown(tool, _COMPUTER, place)
            if "computer-use" not in betas:
                yield Wrong(f"{place}.type", f"Input tag {kind!r} needs its beta header")
        elif kind != "custom":
            yield Wrong(f"{place}.type", f"Input tag {kind!r} does not match any of: custom")
        else:
            yield from unknown(tool, _FUNCTION, place)
            yield from filled(tool.get("description"), f"{place}.description")
            yield from schema(tool.get("input_schema"), f"{place}.input_schema")
