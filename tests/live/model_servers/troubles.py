"""Servers that are busy, broken or out of money, and answers that arrive in pieces."""

from __future__ import annotations

import json
from dataclasses import replace
from email.utils import formatdate
from time import time
from typing import Any

from .wire import (
    CUT,
    GOES_ON,
    GUESS,
    OTHER,
    PLAYED,
    SOLVE,
    TAGGED,
    USUAL,
    Answer,
    Expected,
    Json,
    Kind,
    call,
    chat,
    failed,
    first,
    one,
    second,
)

SSE = {"Content-Type": "text/event-stream"}
AGAIN = replace(PLAYED, requests=3)
"""Played after one answer that was none: three requests for two messages."""
THREE = Expected("terminated", 1.0, (None, None, None))


def delta(finish: Any = None, usage: Any = None, **said: Any) -> Json:
    """One event of a stream."""
    choice = {"index": 0, "delta": said, "finish_reason": finish}
    return {
        "id": "c",
        "object": "chat.completion.chunk",
        "model": "odd",
        "choices": [choice],
        "usage": usage,
    }


def stream(
    *events: Any, start: str = "data: ", done: str = "data: [DONE]\n\n", between: str = ""
) -> Answer:
    """A streamed answer of status 200."""
    lines = (f"{between}{start}{json.dumps(event)}\n\n" for event in events)
    return Answer("".join(lines) + done, headers=SSE)


def piece(arguments: str, index: int | None = 0, **more: Any) -> Json:
    """A piece of a streamed call."""
    name = {"name": more.pop("name")} if "name" in more else {}
    at = {} if index is None else {"index": index}
    return {**at, **more, "function": {**name, "arguments": arguments}}


_HEAD = delta(role="assistant", content="")
_TEXT = [delta(content=TAGGED[:5]), delta(content=TAGGED[5:])]
_CALL = [
    delta(tool_calls=[piece("", id="call_one", type="function", name="guess")]),
    delta(tool_calls=[piece('{"word": ')]),
    delta(tool_calls=[piece(f'"{GUESS}"}}')]),
]
_USAGE = {
    "id": "c",
    "object": "chat.completion.chunk",
    "model": "odd",
    "choices": [],
    "usage": {"prompt_tokens": 7, "completion_tokens": 5},
}
_END = delta("tool_calls")
WHOLE = [_HEAD, *_TEXT, *_CALL, _END]


def _whole(arguments: str, index: int | None, id_: str | None) -> Json:
    return delta(tool_calls=[piece(arguments, index, id=id_, type="function", name="guess")])


_TWO = (f'{{"word": "{GUESS}"}}', f'{{"word": "{OTHER}"}}')

STREAMS = [
    Kind(
        "streams_unasked", 0, "huggingface/transformers#39155", "a stream although the request did not ask for one; usage in its last event",
        first(stream(*WHOLE, _USAGE)), replace(PLAYED, usage={"input_tokens": 7, "output_tokens": 5}), replace(PLAYED, usage={"input_tokens": 7, "output_tokens": 5}),
    ),
    Kind(
        "stream_with_comments", 0, "diegosouzapw/OmniRoute#7031", "keep-alive comments, no space after `data:`, no end marker",
        first(stream(*WHOLE, start="data:", done="", between=": keep-alive\n\n")), PLAYED, PLAYED,
    ),
    Kind(
        "stream_without_a_reason", 0, "can1357/oh-my-pi#9433", "an end marker, but no finish_reason",
        first(stream(*WHOLE[:-1])), PLAYED, PLAYED,
    ),
    Kind(
        "stream_of_calls_with_one_index", 0, "NousResearch/hermes-agent#3468", "two calls, both with index 0 and with distinct ids",
        first(stream(_HEAD, *_TEXT, _whole(_TWO[0], 0, "call_one"), _whole(_TWO[1], 0, "call_two"), _END)), THREE, PLAYED,
    ),
    Kind(
        "stream_of_calls_without_ids", 0, "NousResearch/hermes-agent#62940", "two complete calls, both with index 0 and without ids",
        first(stream(_HEAD, *_TEXT, _whole(_TWO[0], 0, ""), _whole(_TWO[1], 0, ""), _END)), THREE, PLAYED,
    ),
    Kind(
        "stream_with_an_error", 0, "BerriAI/litellm#25505", "a request error within a stream with status 200",
        second(stream(_HEAD, {"error": {"message": "no such adapter", "type": "BadRequestError", "code": 400}})),
        failed("no such adapter", steps=1), failed("no such adapter", steps=1),
    ),
    Kind(
        "stream_with_a_passing_error", 0, "vllm-project/vllm#40986", "a server error within a stream with status 200: the request is repeated",
        first(stream({"error": {"message": "the engine is being restarted", "type": "InternalServerError", "code": 500}}), *one(chat(calls=[call()]))), AGAIN, AGAIN,
    ),
    Kind(
        "stream_broken_off", 0, "CommandCodeAI/command-code#785", "a stream that breaks off within a call: the request is repeated, and the partial call is never played",
        first(stream(*WHOLE[:-2], done=""), *one(chat(calls=[call()]))), AGAIN, AGAIN,
    ),
    Kind(
        "stream_given_up", 0, "vllm-project/vllm#57082", "finish_reason abort, followed by a normal end marker",
        second(stream(_HEAD, delta(content="Let"), delta("abort"))), failed("abort", steps=1), failed("abort", steps=1),
    ),
    Kind(
        "stream_cut", 0, "vllm-project/vllm#46303", "the token limit cuts off a stream before any call",
        second(stream(_HEAD, delta(content="Let me"), delta("length"))), CUT, GOES_ON,
    ),
]  # fmt: skip

NOTHING = dict.fromkeys(("id", "choices", "created", "model", "object", "usage"))

BUSY = [
    Kind(
        "busy_with_a_date", 0, "CopilotKit/CopilotKit#3842", "status 429, and Retry-After is a date",
        first(Answer({"error": {"message": "slow down", "code": "rate_limit_exceeded"}}, 429, {"Retry-After": formatdate(time() + 1, usegmt=True)}), chat(calls=[call()])), AGAIN, AGAIN,
    ),
    Kind(
        "loading", 0, "mostlygeek/llama-swap#146", "status 503 while the model is loading",
        first(Answer({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}, 503), chat(calls=[call()])), AGAIN, AGAIN,
    ),
    Kind(
        "busy_with_status_200", 0, "UKGovernmentBEIS/inspect_ai#1534", "OpenRouter: status 200 with null choices and error 429",
        first({**NOTHING, "error": {"message": "Provider returned error", "code": 429, "metadata": {"raw": "Too Many Requests"}}}, chat(calls=[call()])), AGAIN, AGAIN,
    ),
    Kind(
        "empty_body", 0, "deepseek-ai/DeepSeek-V3#599", "status 200 with only empty lines",
        first(Answer("\n\n\n", headers={"Content-Type": "application/json"}), chat(calls=[call()])), AGAIN, AGAIN,
    ),
    Kind(
        "lines_before_the_body", 0, "OpenHands/OpenHands#7070", "empty keep-alive lines, then the answer",
        first("\n\n\n  " + json.dumps(chat(calls=[call()]))), PLAYED, PLAYED,
    ),
    Kind(
        "error_with_status_200", 0, "SWE-agent/mini-swe-agent#902", "an error with status 200",
        second({"error": {"message": "This content was flagged", "code": 403}}), failed("flagged", steps=1), failed("flagged", steps=1),
    ),
    Kind(
        "no_choices", 0, "aliasrobotics/cai#436", "`choices` is empty",
        second(chat() | {"choices": []}), failed("", steps=1), failed("", steps=1),
    ),
    Kind(
        "no_money", 0, "continuedev/continue#9375", "status 402: the request is not repeated",
        (one(Answer({"error": {"message": "Insufficient Balance", "type": "unknown_error", "code": "invalid_request_error"}}, 402)),),
        failed("Insufficient Balance", requests=1), failed("Insufficient Balance", requests=1),
    ),
    Kind(
        "too_large_for_the_minute", 0, "continuedev/continue#10218", "Groq's 413 is about tokens per minute, not about the context",
        (USUAL, one(Answer({"error": {"message": "Request too large for model `x` on tokens per minute (TPM): Limit 12000, Requested 14137, please reduce your message size and try again.", "type": "tokens", "code": "rate_limit_exceeded"}}, 413))),
        failed("tokens per minute", steps=1), failed("tokens per minute", steps=1),
    ),
    Kind(
        "call_refused_by_the_server", 0, "huggingface/smolagents#1119", "Groq returns 400 for its own model's malformed call: the model's mistake, so the episode has a score",
        (USUAL, one(Answer({"error": {"message": "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.", "type": "invalid_request_error", "code": "tool_use_failed", "failed_generation": 'guess{"word": 5}</function>'}}, 400)), SOLVE),
        CUT, GOES_ON,
    ),
    Kind(
        "call_broken_500", 0, "ollama/ollama#17638", "Ollama returns 500 for its own model's malformed call",
        (USUAL, one(Answer({"error": {"message": "error parsing tool call: raw='{\"word\": \"crane\"}]', err=invalid character ']' after top-level value", "type": "api_error", "param": None, "code": None}}, 500)), SOLVE),
        CUT, GOES_ON,
    ),
]  # fmt: skip

KINDS = [*STREAMS, *BUSY]
