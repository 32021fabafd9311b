"""What servers of the Responses API answer and refuse."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .rules import Json
from .troubles import SSE
from .wire import (
    ANSWER,
    CUT,
    GUESS,
    PLAYED,
    SIGNATURE,
    Answer,
    Expected,
    Kind,
    Rule,
    failed,
    one,
    refused,
)

THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": []}
SEALED = {**THOUGHT, "encrypted_content": SIGNATURE}


def function_call(
    arguments: Any = f'{{"word": "{GUESS}"}}', number: str = "1", **more: Any
) -> Json:
    """A call as an item."""
    ids = {"id": f"fc_{number}", "call_id": f"call_{number}"}
    about = {
        "type": "function_call",
        "name": "guess",
        "arguments": arguments,
        "status": "completed",
    }
    return {**about, **ids, **more}


def message(text: str) -> Json:
    """A message as an item."""
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": None}
    return {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }


def response(*output: Json, status: str = "completed", **more: Any) -> Json:
    """A response."""
    used = {"input_tokens": 50, "output_tokens": 9, "total_tokens": 59}
    about = {"id": "resp_1", "object": "response", "created_at": 1, "model": "odd", "error": None}
    return {
        **about,
        "status": status,
        "incomplete_details": None,
        "output": list(output),
        "usage": used,
        **more,
    }


def _incomplete(reason: str) -> Json:
    return {"status": "incomplete", "incomplete_details": {"reason": reason}}


def events(whole: Mapping[str, Any]) -> Answer:
    """A response as the events of a stream, each with its name."""
    parts = [
        {"type": "response.created", "response": {**whole, "output": [], "status": "in_progress"}}
    ]
    parts += [
        {"type": "response.output_item.done", "output_index": n, "item": item}
        for n, item in enumerate(whole["output"])
    ]
    parts.append({"type": "response.completed", "response": whole})
    return Answer(
        "".join(f"event: {p['type']}\ndata: {json.dumps(p)}\n\n" for p in parts), headers=SSE
    )


USUAL = one(response(function_call()))
SOLVE = one(response(function_call(f'{{"word": "{ANSWER}"}}', "9")))


def _first(*answers: Any) -> tuple[tuple[Answer, ...], ...]:
    return (one(*answers), SOLVE)


def _second(*answers: Any) -> tuple[tuple[Answer, ...], ...]:
    return (USUAL, one(*answers), SOLVE)


def _items(request: Json, kind: str) -> list[Json]:
    return [item for item in request["input"] if item.get("type") == kind]


def _unpaired(request: Json) -> str | None:
    items = request["input"]
    for number, item in enumerate(items):
        if item.get("call_id") == "call_1" and item["type"] == "function_call":
            before = items[number - 1] if number else {}
            if before.get("id") != "rs_1" or before.get("encrypted_content") != SIGNATURE:
                return "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'."
    return None


def _unstored(request: Json) -> str | None:
    kept = [item for item in _items(request, "reasoning") if not item.get("encrypted_content")]
    return (
        f"Item with id '{kept[0].get('id')}' not found. Items are not persisted when `store` is set to false."
        if kept
        else None
    )


_ROWS: list[tuple[str, str, str, Any, Expected, tuple[Rule, ...]]] = [
    ("response_incomplete", "pydantic/pydantic-ai#509", "the status is incomplete, and there is no call", _second(response(message("Let me"), **_incomplete("max_output_tokens"))), CUT, ()),
    ("response_filtered", "vllm-project/vllm#24561", "the status is incomplete because of a filter", _second(response(**_incomplete("content_filter"))), CUT, ()),
    ("response_thought_only", "jundot/omlx#2817", "thinking uses up the token limit", _second(response(THOUGHT, **_incomplete("max_output_tokens"))), CUT, ()),
    ("response_incomplete_with_call", "vllm-project/vllm#57998", "the status is incomplete, but the call is complete: it is played", _first(response(function_call(), **_incomplete("max_output_tokens"))), PLAYED, ()),
    ("response_incomplete_call_cut", "vllm-project/vllm#57998", "an item's status is completed, but its arguments are cut off", _first(response(function_call('{"word": "cra'), **_incomplete("max_output_tokens"))), refused("invalid_arguments", "ends before the object does"), ()),
    ("response_failed", "diegosouzapw/OmniRoute#8210", "the status is failed, with an error", _second(response(status="failed", error={"code": "server_error", "message": "the worker is gone"})), failed("the worker is gone", steps=1), ()),
    ("response_streams_unasked", "huggingface/transformers#39155", "named events although the request did not ask for a stream", _first(events(response(message("One guess."), function_call()))), PLAYED, ()),
    ("response_completed_but_incomplete", "vllm-project/agentic-api#273", "the last event is named completed, but its response is incomplete", _second(events(response(message("Let me"), **_incomplete("max_output_tokens")))), CUT, ()),
    ("response_pairs", "continuedev/continue#11994", "a call may be sent back only directly after its reasoning", _first(response(SEALED, function_call())), PLAYED, (Rule(_unpaired),)),
    ("response_thought_not_stored", "earendil-works/pi#3369", "the server no longer knows reasoning without its encrypted content", _first(response(THOUGHT, function_call())), replace(PLAYED, refused=1), (Rule(_unstored, 404),)),
    ("response_item_ids", "nodetool-ai/nodetool#4252", "the id of an item is not the id of its call", _first(response(function_call(id="item_A9v0", call_id="call_1"))), PLAYED, ()),
    ("response_without_usage", "vllm-project/vllm#24184", "usage is null, and ids are missing", _first(response(function_call(id=None), usage=None)), replace(PLAYED, usage={}), ()),
    ("response_nulls", "openai/openai-python#3008", "the server refuses null fields when they are sent back", _first(response({**SEALED, "status": None, "content": None}, function_call(status=None))), PLAYED, ()),
    ("response_full", "vllm-project/vllm#20409", "the context is full", _second(Answer({"error": {"message": "This model's maximum context length is 4096 tokens.", "type": "BadRequestError", "code": 400}}, 400)), Expected("truncated", 0.0, (None,), limit="context_full"), ()),
]  # fmt: skip

KINDS = [
    Kind(name, 0, source, what, turns, expected, expected, rules, api="responses")
    for name, source, what, turns, expected, rules in _ROWS
]
