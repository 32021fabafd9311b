"""What real servers refuse of a Responses request (see ``rules``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from skill_tools.policies.requests import EXTRA, ServerQuirks, Wrong
from tests.strict.chat import offered
from tests.strict.rules import (
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    arguments,
    choices,
    expected,
    filled,
    kinds,
    named,
    unknown,
    words,
)

# https://platform.openai.com/docs/api-reference/responses/create, without `user`, which is deprecated.
_FIELDS = words(
    "background conversation include input instructions max_output_tokens max_tool_calls metadata"
    " model parallel_tool_calls previous_response_id prompt prompt_cache_key reasoning"
    " safety_identifier service_tier store stream stream_options temperature text tool_choice tools"
    " top_logprobs top_p truncation"
)
_LABELED = _FIELDS | {"user"}
_SETTINGS = {
    "model": TEXT, "stream": FLAG, "temperature": NUMBER, "top_p": NUMBER, "instructions": TEXT,
    "max_output_tokens": WHOLE, "max_tool_calls": WHOLE, "parallel_tool_calls": FLAG, "store": FLAG,
    "metadata": (dict,), "stream_options": (dict,),
}  # fmt: skip
_SAID = frozenset({"type", "role", "content", "status"})
_OF_TYPE = {
    "function_call": frozenset({"type", "call_id", "name", "arguments", "id", "status"}),
    "function_call_output": frozenset({"type", "call_id", "output", "id", "status"}),
    # OpenAI: "Unknown parameter: 'input[1].status'" of what its own client told.
    "reasoning": frozenset({"type", "id", "summary", "content", "encrypted_content"}),
    "computer_call": frozenset(
        {"type", "call_id", "id", "status", "action", "actions", "pending_safety_checks"}
    ),
    "computer_call_output": frozenset(
        {"type", "call_id", "output", "id", "status", "acknowledged_safety_checks"}
    ),
}
# OpenAI: "Invalid 'input[2].id': 'call_...'. Expected an ID that begins with 'fc'."
_BEGINS = {"message": "msg", "function_call": "fc", "reasoning": "rs", "computer_call": "cu"}
_ASKED = {
    "input_text": frozenset({"type", "text"}),
    "input_image": frozenset({"type", "image_url", "detail"}),
}
_ANSWERED = {
    "output_text": frozenset({"type", "text", "annotations", "logprobs"}),
    "refusal": frozenset({"type", "refusal"}),
}
_FUNCTION = frozenset({"type", "name", "description", "parameters", "strict"})
_COMPUTER = {
    "computer": frozenset({"type"}),
    "computer_use_preview": frozenset({"type", "display_width", "display_height", "environment"}),
}


def problems(body: Mapping[str, Any], quirks: ServerQuirks) -> list[Wrong]:
    """Everything that a strict server refuses of a request; none if it takes it."""
    found = list(unknown(body, _LABELED if quirks.labels_in_body else _FIELDS, ""))
    found += [*kinds(body, _SETTINGS), *choices(body), *_tools(body.get("tools"))]
    if body.get("model") is None:
        found.append(Wrong("model", "Missing required parameter: 'model'."))
    metadata = body.get("metadata")
    for name, value in metadata.items() if isinstance(metadata, dict) else ():
        if not isinstance(value, str):
            found.append(expected(value, "a string", f"metadata.{name}"))
    items = body.get("input")
    if isinstance(items, str):
        return found
    if not isinstance(items, list) or not items:
        return [*found, expected(items, "a string or a list of input items", "input")]
    if quirks.untyped_messages:
        items = [
            {"type": "message", **item} if isinstance(item, dict) and "role" in item else item
            for item in items
        ]
    shapes = [wrong for n, each in enumerate(items) for wrong in _item(each, n, quirks)]
    return [*found, *(shapes or _order(items))]


def _item(item: Any, number: int, quirks: ServerQuirks) -> Iterator[Wrong]:
    place = f"input[{number}]"
    kind = item.get("type") if isinstance(item, dict) else None
    if kind is None:
        # vLLM and NeMo Gym's vllm_model read items by their type.
        yield Wrong(f"{place}.type", f"Missing required parameter: '{place}.type'.")
        return
    if kind != "message" and kind not in _OF_TYPE:
        says = f"Invalid value: {kind!r}. Supported values are {['message', *_OF_TYPE]}"
        yield Wrong(f"{place}.type", says)
        return
    begins, identity = _BEGINS.get(kind, ""), item.get("id")
    if identity is not None and not str(identity).startswith(begins):
        says = f"Invalid '{place}.id': '{identity}'. Expected an ID that begins with '{begins}'."
        yield Wrong(f"{place}.id", says)
    if kind == "message":
        yield from _message(item, place)
        return
    yield from unknown(item, _OF_TYPE[kind], place)
    if kind == "reasoning":
        yield from filled(identity, f"{place}.id")
        if not isinstance(item.get("summary"), list):
            yield expected(item.get("summary"), "a list", f"{place}.summary")
        if not quirks.reasoning_back:
            yield Wrong(place, "Extra inputs are not permitted", EXTRA)
        return
    yield from filled(item.get("call_id"), f"{place}.call_id")
    if kind == "function_call":
        yield from named(item.get("name"), f"{place}.name")
        yield from arguments(item.get("arguments"), f"{place}.arguments")
    elif kind == "function_call_output":
        if "output" not in item:
            says = f"Missing required parameter: '{place}.output'."
            yield Wrong(f"{place}.output", says)
        else:
            yield from _content(item["output"], _ASKED, f"{place}.output")
    elif kind == "computer_call_output":
        output = item.get("output")
        if not isinstance(output, dict) or output.get("type") != "computer_screenshot":
            yield expected(output, "a computer_screenshot", f"{place}.output")


def _message(item: Mapping[str, Any], place: str) -> Iterator[Wrong]:
    role = item.get("role")
    if role not in ("user", "system", "developer", "assistant"):
        yield Wrong(f"{place}.role", f"Invalid value: {role!r}")
        return
    answered = role == "assistant"
    # `id` is of what the model said; vLLM and OpenAI refuse it of what it was told.
    yield from unknown(item, _SAID | {"id"} if answered else _SAID, place)
    if "content" not in item:
        yield Wrong(f"{place}.content", f"Missing required parameter: '{place}.content'.")
        return
    content = item["content"]
    yield from _content(content, _ANSWERED if answered else _ASKED, f"{place}.content")
    if answered and isinstance(content, list):
        # vLLM, before https://github.com/vllm-project/vllm/pull/41355: what the model said, whole
        for name in ("id", "status"):
            if not isinstance(item.get(name), str):
                says = f"Missing required parameter: '{place}.{name}'."
                yield Wrong(f"{place}.{name}", says)


def _content(content: Any, known: Mapping[str, frozenset[str]], place: str, /) -> Iterator[Wrong]:
    """Text or typed parts; OpenAI takes `input_text` of users and `output_text` of assistants only."""
    if isinstance(content, str):
        return
    if not isinstance(content, list) or not content:
        yield expected(content, "a string or a list of parts", place)
        return
    for number, part in enumerate(content):
        at = f"{place}[{number}]"
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(kind, str) or kind not in known:
            says = f"Invalid value: {kind!r}. Supported values are: {[*known]}"
            yield Wrong(f"{at}.type", says)
            continue
        yield from unknown(part, known[kind], at)
        field = {"input_image": "image_url", "refusal": "refusal"}.get(kind, "text")
        if not isinstance(part.get(field), str):
            yield expected(part.get(field), "a string", f"{at}.{field}")
        # vLLM reads with the types of OpenAI's client, where these have no default.
        if kind == "input_image" and part.get("detail") not in ("auto", "low", "high", "original"):
            yield Wrong(f"{at}.detail", f"Missing required parameter: '{at}.detail'.")
        if kind == "output_text" and not isinstance(part.get("annotations"), list):
            yield Wrong(f"{at}.annotations", f"Missing required parameter: '{at}.annotations'.")


def _order(items: Sequence[Mapping[str, Any]]) -> Iterator[Wrong]:
    """Whether every call is answered once, before the next turn, and instructions come first."""
    known: set[str] = set()
    waiting: dict[str, str] = {}
    begun = answering = False
    for number, item in enumerate(items):
        place, kind, role = f"input[{number}]", item["type"], item.get("role")
        if kind.endswith("_output"):
            identity = item["call_id"]
            if waiting.pop(identity, None) != kind.removesuffix("_output"):  # OpenAI, DeepSeek
                says = f"No tool call found for function call output with call_id {identity}."
                yield Wrong(f"{place}.call_id", says)
            answering = True
            continue
        # One turn of the model may be several items; a server makes one message of them.
        if waiting and (answering or role in ("user", "system", "developer")):
            yield Wrong(place, _unanswered(waiting))
            waiting = {}
        if role in ("system", "developer") and begun:
            # Templates, which vLLM fills with it: "System message must be at the beginning."
            yield Wrong(f"{place}.role", f"Unexpected role '{role}' after the conversation began")
        begun = begun or role not in ("system", "developer")
        answering = False
        if kind.endswith("_call"):
            if item["call_id"] in known:
                yield Wrong(f"{place}.call_id", f"duplicate call_id '{item['call_id']}'")
            known.add(item["call_id"])
            waiting[item["call_id"]] = kind
    last = f"input[{len(items) - 1}]"
    if waiting:
        yield Wrong(last, _unanswered(waiting))
    elif items[-1].get("role") == "assistant" or items[-1]["type"] == "reasoning":
        # Mistral's models behind vLLM: "Expected last role User or Tool ... but got assistant"
        yield Wrong(last, "Expected last role User or Tool for serving but got assistant")


def _unanswered(waiting: Mapping[str, str]) -> str:
    return f"No tool output found for function call {', '.join(waiting)}."  # OpenAI


def _tools(tools: Any) -> Iterator[Wrong]:
    names: set[str] = set()
    for number, tool in enumerate(tools if isinstance(tools, list) else ()):
        place = f"tools[{number}]"
        kind = tool.get("type") if isinstance(tool, dict) else None
        if isinstance(kind, str) and kind in _COMPUTER:
            yield from unknown(tool, _COMPUTER[kind], place)
        elif kind != "function":
            yield Wrong(f"{place}.type", f"Invalid value: {kind!r}")
        else:
            yield from unknown(tool, _FUNCTION, place)
            yield from offered(tool, names, place)
            if "strict" not in tool:  # vLLM and NeMo Gym: required in the types of OpenAI's client
                yield Wrong(f"{place}.strict", f"Missing required parameter: '{place}.strict'.")
