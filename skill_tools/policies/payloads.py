"""A policy server's responses as JSON, for Chat Completions and Responses, whole and streamed.

The formats are those of https://platform.openai.com/docs/api-reference. Only the tests use the official client, whose
types verify the formats, because this client would be a fifth of the installation.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

from skill_tools.policies.requests import ServerQuirks
from skill_tools.policies.screen_payloads import openai_action, wants_computer
from skill_tools.policies.scripted import Call
from skill_tools.policies.tokens import Said, written

Payload = dict[str, Any]
"""A JSON object as sent over the network."""


def model(name: str, quirks: ServerQuirks) -> Payload:
    """Return a policy as an entry in the list of models, with the context length in the server's own field."""
    about: Payload = {"id": name, "created": 0, "object": "model", "owned_by": "scripts"}
    if quirks.context and quirks.overflow == "llama.cpp":
        about["meta"] = {"n_ctx": quirks.context}
    elif quirks.context and quirks.overflow.startswith("vllm"):
        about["max_model_len"] = quirks.context
    return about


def completion(body: Mapping[str, Any], position: int, said: Said) -> Payload:
    """Return a turn as the response to a Chat Completions request; ``position`` counts turns from 0."""
    turn = said.turn
    # With fields that OpenAI returns but does not accept: a client that sends them is refused.
    message: Payload = {
        "content": turn.text or None,
        "refusal": None,
        "role": "assistant",
        "annotations": [],
    }
    if turn.calls:
        message["tool_calls"] = [
            {
                "id": _call_id(position, number),
                "function": {"arguments": written(call), "name": call.tool},
                "type": "function",
            }
            for number, call in enumerate(turn.calls)
        ]
    finish = "length" if said.cut else "tool_calls" if turn.calls else "stop"
    return {
        "id": f"chatcmpl-{position}",
        "choices": [{"finish_reason": finish, "index": 0, "message": message}],
        "created": int(time.time()),
        "model": body["model"],
        "object": "chat.completion",
        "usage": {
            "completion_tokens": said.answered,
            "prompt_tokens": said.asked,
            "total_tokens": said.asked + said.answered,
        },
    }


def chunks(body: Mapping[str, Any], position: int, said: Said) -> Iterator[Payload]:
    """Yield a completion as a stream, with the text and arguments in pieces, the finish reason, and the usage."""
    whole = completion(body, position, said)
    [choice] = whole["choices"]
    message = choice["message"]

    def chunk(*choices: Payload) -> Payload:
        about = {"created": whole["created"], "model": whole["model"]}
        return {
            "id": whole["id"],
            "choices": list(choices),
            **about,
            "object": "chat.completion.chunk",
        }

    deltas: list[Payload] = [{"content": "", "role": "assistant"}]
    deltas += [{"content": piece} for piece in _pieces(message["content"] or "")]
    for index, call in enumerate(message.get("tool_calls", ())):
        name, asked = call["function"]["name"], call["function"]["arguments"]
        function = {"arguments": "", "name": name}
        opened = {"index": index, "id": call["id"], "function": function, "type": "function"}
        more = [{"index": index, "function": {"arguments": piece}} for piece in _pieces(asked)]
        deltas += [{"tool_calls": [part]} for part in (opened, *more)]
    for delta in deltas:
        yield chunk({"delta": delta, "finish_reason": None, "index": 0})
    yield chunk({"delta": {}, "finish_reason": choice["finish_reason"], "index": 0})
    if (body.get("stream_options") or {}).get("include_usage"):
        yield {**chunk(), "usage": whole["usage"]}


def _pieces(text: str) -> list[str]:
    """Return a text in two pieces, because real streams split texts at some point."""
    half = len(text) // 2
    return [piece for piece in (text[:half], text[half:]) if piece]


def response(body: Mapping[str, Any], position: int, said: Said) -> Payload:
    """Return a turn as the response to a Responses request."""
    turn, status = said.turn, "incomplete" if said.cut else "completed"
    offered = wants_computer(body)
    calls = [_item(position, number, call, offered) for number, call in enumerate(turn.calls)]
    if calls and said.cut and not _is_object(written(turn.calls[-1])):
        calls[-1]["status"] = "incomplete"
    message: Payload = {
        "id": f"msg_{position}",
        "content": [{"annotations": [], "text": turn.text, "type": "output_text"}],
        "role": "assistant",
        "status": "completed" if calls else status,
        "type": "message",
    }
    return {
        "id": f"resp_{position}",
        "created_at": int(time.time()),
        "incomplete_details": {"reason": "max_output_tokens"} if said.cut else None,
        "model": body["model"],
        "object": "response",
        "output": [message, *calls] if turn.text or not calls else calls,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        # Returned unchanged.
        "tools": body.get("tools") or [],
        "status": status,
        "usage": {
            "input_tokens": said.asked,
            "input_tokens_details": {"cache_write_tokens": 0, "cached_tokens": 0},
            "output_tokens": said.answered,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": said.asked + said.answered,
        },
    }


def _item(position: int, number: int, call: Call, computer: bool) -> Payload:
    """Return one call as an item, in the form of the computer tool if the tool is offered and has such an action."""
    called = {"call_id": _call_id(position, number), "status": "completed"}
    if computer and (action := openai_action(call)):
        about = {"id": f"cu_{position}_{number}", "type": "computer_call", "actions": [action]}
        return {**called, **about, "pending_safety_checks": []}
    asked = {"name": call.tool, "arguments": written(call)}
    return {**called, "id": f"fc_{position}_{number}", "type": "function_call", **asked}


def events(whole: Payload) -> Iterator[Payload]:
    """Yield a response as a stream of events, with one delta for each item."""
    number = iter(range(10**9))
    begun = {**whole, "status": "in_progress", "output": []}
    yield {"type": "response.created", "response": begun, "sequence_number": next(number)}
    for index, item in enumerate(whole["output"]):
        about = {"output_index": index, "item": item}
        yield {"type": "response.output_item.added", **about, "sequence_number": next(number)}
        delta = {"item_id": item["id"], "output_index": index}
        if item["type"] == "message":
            text = {"content_index": 0, "delta": item["content"][0]["text"], "logprobs": []}
            delta |= {"type": "response.output_text.delta", **text}
            yield {**delta, "sequence_number": next(number)}
        elif item["type"] == "function_call":
            asked = {"delta": item["arguments"]}
            delta |= {"type": "response.function_call_arguments.delta", **asked}
            yield {**delta, "sequence_number": next(number)}
        yield {"type": "response.output_item.done", **about, "sequence_number": next(number)}
    ended = "response.incomplete" if whole["status"] == "incomplete" else "response.completed"
    yield {"type": ended, "response": whole, "sequence_number": next(number)}


def _call_id(position: int, number: int) -> str:
    return f"call_{position}_{number}"


def _is_object(text: str) -> bool:
    """Return whether a call's arguments are a complete JSON object."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
