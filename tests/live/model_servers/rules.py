"""What the strictest servers refuse in a request; what is sent to any server breaks none of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from .wire import Json, Rule

REASONING = {"reasoning_content", "reasoning", "reasoning_details", "thinking", "thinking_blocks"}
SETTINGS = {
    "max_tokens", "max_completion_tokens", "max_output_tokens", "temperature", "top_p", "seed",
    "stop", "stream", "stream_options",
}  # fmt: skip
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def assistants(request: Json) -> list[Json]:
    """The messages of the model in a request."""
    return [m for m in request.get("messages", ()) if m.get("role") == "assistant"]


def calls(request: Json) -> list[Json]:
    """All tool calls in a request, as they were sent back."""
    return [call for message in assistants(request) for call in message.get("tool_calls") or ()]


def usual(request: Json) -> str | None:
    """Why a strict Chat Completions server refuses a request, whatever the kind."""
    return next(_chat(request), None)


def usual_items(request: Json) -> str | None:
    """Why a strict Responses server refuses a request, whatever the kind."""
    return next(_responses(request), None)


def _chat(request: Json) -> Iterator[str]:
    # openai/openai-python#2061 and vllm-project/vllm#39780: empty arrays are refused.
    known = {"model", "messages", "tools", *SETTINGS}
    for name in set(request) - known:
        yield f"{name}: Extra inputs are not permitted"
    if request.get("tools") == []:
        yield "`tools` must not be an empty array"
    ids: set[str] = set()
    asked: list[str] = []
    before = ""
    for number, message in enumerate(request["messages"]):
        at, role = f"messages[{number}]", message.get("role")
        if asked and role != "tool":
            yield f"{at}: tool_calls {asked} were not answered by tool messages"
        if not isinstance(message.get("content"), str) and not _parts(role, message):
            yield f"{at}.content: Input should be a valid string"
        if role == "system" and number:
            yield f"{at}: Unexpected role 'system' after role {before!r}"
        # suitenumerique/conversations#197 and zed-industries/zed#37021
        if role == "user" and before in ("user", "tool"):
            yield f"Unexpected role 'user' after role {before!r}"
        if role == "assistant" and before not in ("user", "tool"):
            yield f"Unexpected role 'assistant' after role {before!r}"
        if role == "tool":
            if message.get("tool_call_id") not in asked[:1]:
                yield f"{at}: tool_call_id is not the next of {asked}"
            asked = asked[1:]
        allowed = {"role", "content"} | ({"tool_call_id"} if role == "tool" else set())
        if role == "assistant":
            allowed |= {"tool_calls", *REASONING}
            yield from _called(at, message, ids)
            asked = [call.get("id") for call in message.get("tool_calls") or ()]
        for name in set(message) - allowed:
            yield f"{at}.{role}.{name}: Extra inputs are not permitted"
        before = role
    if asked:
        yield f"tool_calls {asked} were not answered by tool messages"


def _parts(role: Any, message: Json) -> bool:
    return role in ("user", "tool") and isinstance(message.get("content"), list)


def _called(at: str, message: Json, ids: set[str]) -> Iterator[str]:
    if "tool_calls" not in message:
        return
    if not message["tool_calls"]:
        yield f"Invalid '{at}.tool_calls': empty array"
    for call in message["tool_calls"]:
        if set(call) - {"extra_content"} != {"id", "type", "function"}:
            yield f"{at}.tool_calls: has {sorted(call)}"
            continue
        if not isinstance(call["id"], str) or not call["id"] or call["id"] in ids:
            yield f"{at}.tool_calls: duplicate or missing tool_call_id {call['id']!r}"
        ids.add(call["id"])
        function = call["function"]
        if set(function) != {"name", "arguments"} or call["type"] != "function":
            yield f"{at}.tool_calls: has {function}"
            continue
        if not NAME.fullmatch(function["name"]):
            yield f"{at}.tool_calls: name {function['name']!r} does not match {NAME.pattern}"
        yield from _object(f"{at}.tool_calls", function["arguments"])


def _object(at: str, arguments: Any) -> Iterator[str]:
    # vllm-project/vllm#43995 and sgl-project/sglang#28035: the history is parsed again.
    try:
        value = json.loads(arguments)
    except (TypeError, ValueError) as error:
        yield f"{at}: arguments: {error}"
        return
    if not isinstance(value, dict):
        yield f"{at}: arguments: {type(value).__name__!r} object has no attribute 'items'"


def _responses(request: Json) -> Iterator[str]:
    known = {"model", "input", "instructions", "tools", "store", "include", *SETTINGS}
    for name in set(request) - known:
        yield f"Unknown parameter: '{name}'."
    open_: list[str] = []
    for number, item in enumerate(request["input"]):
        at, kind = f"input[{number}]", item.get("type")
        # openai/openai-python#3008: a null that the server did not send is an unknown parameter.
        for name in (name for name, value in item.items() if value is None):
            yield f"Unknown parameter: '{at}.{name}'."
        if kind == "function_call":
            if "id" in item and not str(item["id"]).startswith("fc"):
                yield f"Invalid '{at}.id': {item['id']!r}. Expected an ID that begins with 'fc'."
            if set(item) - {"id", "status"} != {"type", "call_id", "name", "arguments"}:
                yield f"{at}: has {sorted(item)}"
            yield from _object(at, item.get("arguments"))
            open_.append(item["call_id"])
        elif kind == "function_call_output":
            if item.get("call_id") not in open_ or not isinstance(item.get("output"), str | list):
                yield f"No tool call found for function call output at {at}"
        elif kind == "reasoning":
            if not isinstance(item.get("summary"), list):  # newo-ether/Agora#141
                yield f"{at} missing required field `summary`"
            following = request["input"][number + 1 : number + 2]
            if not following or following[0].get("type") == "function_call_output":
                yield f"Item of type 'reasoning' at {at} without its required following item."
        elif kind != "message":
            yield f"Invalid value: {kind!r} at {at}.type"
        elif not isinstance(item.get("content"), str | list) or "tool_calls" in item:
            yield f"{at}.content: has {sorted(item)}"


def needs(why: str, missing: Any, **shape: Any) -> Rule:
    """A rule for each message of the model: refused with ``why`` where ``missing`` says so."""
    return Rule(lambda request: why if any(map(missing, assistants(request))) else None, **shape)


USUAL_RULES = {"chat": Rule(usual), "responses": Rule(usual_items)}
