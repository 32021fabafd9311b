"""The items of issue 26 that are about the wire, as what a server answers or refuses."""

from __future__ import annotations

import re
from dataclasses import replace

from .rules import calls, needs
from .wire import (
    CUT,
    FULL,
    GOES_ON,
    IGNORED,
    OTHER,
    PLAYED,
    SOLVE,
    TAGGED,
    USUAL,
    Answer,
    Expected,
    Json,
    Kind,
    Rule,
    call,
    chat,
    failed,
    first,
    one,
    refused,
    second,
)

THINKING = "A word with many vowels is a good start."
BROKEN = {
    "cut": ('{"word": "cra', "ends before the object does"),
    "text_after": ('{"word": "crane"} Let us see.', "more text after"),
    "two_objects": ('{"word": "crane"}{"word": "slate"}', "more text after"),
    "encoded_twice": ('"{\\"word\\": \\"crane\\"}"', "string that holds JSON"),
    "null": ("null", "null"),
    "list": ('["crane"]', "a list"),
    "bare_word": ("crane", ""),
}
"""Arguments that are not a JSON object, and what the model is told of them."""
SOURCES = {
    "cut": "vllm-project/vllm#47761",
    "text_after": "ollama/ollama#17638",
    "two_objects": "BerriAI/litellm#40582",
    "encoded_twice": "ollama/ollama#12413",
    "null": "sgl-project/sglang#28035",
    "list": "sgl-project/sglang#28035",
    "bare_word": "vllm-project/vllm#43995",
}


def full(name: str, source: str, status: int, body: object, what: str) -> Kind:
    """A server that refuses the second request because the conversation is too long for it."""
    return Kind(name, 13, source, what, (USUAL, one(Answer(body, status))), FULL, FULL)


def _vllm(message: str) -> Json:
    return {"error": {"message": message, "type": "BadRequestError", "param": None, "code": 400}}


_LLAMA = {
    "code": 400,
    "message": "request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it",
    "type": "exceed_context_size_error",
    "n_prompt_tokens": 4390,
    "n_ctx": 4096,
}
_LONG = "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4488 in the messages, 512 in the completion). Please reduce the length of the messages or completion."

ENDS = [
    Kind(
        "length_with_prose", 1, "ollama/ollama#5312", "the message is cut off before any call",
        second(chat("Let me think about the letters of", finish="length")), CUT, GOES_ON,
    ),
    Kind(
        "length_while_thinking", 1, "ollama/ollama#17239", "thinking uses up the token limit",
        second(chat(None, finish="length", reasoning_content=THINKING)), CUT, GOES_ON,
    ),
    Kind(
        "content_filter", 1, "theopenco/llmgateway#2067", "a filter removed the message",
        second(chat("", finish="content_filter")), CUT, GOES_ON,
    ),
    Kind(
        "length_within_a_call", 1, "vllm-project/vllm#46303",
        "the arguments are cut off: the call is refused as a mistake, and the episode continues",
        first(chat("", [call(BROKEN["cut"][0])], finish="length")),
        refused("invalid_arguments", BROKEN["cut"][1]), IGNORED,
    ),
    Kind(
        "nothing_generated", 1, "lmstudio-ai/lmstudio-bug-tracker#1602",
        "content is null and no token was generated: the model did not give up",
        second(chat(None, finish="stop", usage={"prompt_tokens": 50, "completion_tokens": 0})),
        CUT, GOES_ON,
    ),
    Kind(
        "call_as_text", 2, "sgl-project/sglang#26790", "no tool parser: the call is left in the text",
        (one(chat('<tool_call>{"name": "guess", "arguments": {"word": "crane"}}</tool_call>', finish="stop")), SOLVE),
        Expected("stopped", 0.0, ()), PLAYED,
    ),
    Kind(
        "call_in_a_fence", 2, "vllm-project/vllm#46863", "the call is left in the text as JSON",
        (one(chat('```json\n{"name": "guess", "parameters": {"word": "crane"}}\n```', finish="stop")), SOLVE),
        Expected("stopped", 0.0, ()), IGNORED,
    ),
]  # fmt: skip

ARGUMENTS = [
    Kind(
        f"arguments_{name}", 5, SOURCES[name], f"the arguments are {said!r}, and the server parses them again when they are sent back",
        first(chat("", [call(said)])), refused("invalid_arguments", reported), IGNORED,
    )
    for name, (said, reported) in BROKEN.items()
]  # fmt: skip

_EXTRAS = {
    "refusal": None, "annotations": [], "audio": None, "function_call": None,
    "provider_specific_fields": {"a": 1}, "reasoning_content": None, "tool_call_id": None, "name": None,
}  # fmt: skip


def _reasoning(message: Json) -> bool:
    return "reasoning_content" in message


BACK = [
    Kind(
        "more_fields_than_are_taken", 6, "BerriAI/litellm#30835",
        "a reply has fields that requests may not contain",
        first(chat(calls=[call(index=0)], **_EXTRAS)), PLAYED, PLAYED,
    ),
    Kind(
        "content_wanted_beside_calls", 6, "lmstudio-ai/lmstudio-bug-tracker#261",
        "content is null next to a call, but must be text when it is sent back",
        first(chat(None, [call()])), PLAYED, IGNORED,
    ),
    Kind(
        "reasoning_not_taken_back", 6, "QwenLM/qwen-code#11045",
        "the server returns reasoning_content and refuses it when it is sent back",
        first(chat(calls=[call()], reasoning_content=THINKING)),
        replace(PLAYED, refused=1), replace(PLAYED, refused=1),
        rules=(needs("messages.2.assistant.reasoning_content: property 'messages.2.assistant.reasoning_content' is unsupported", _reasoning),),
    ),
    Kind(
        "reasoning_forbidden_422", 6, "charmbracelet/crush#1590",
        "the server returns reasoning_content and refuses it when it is sent back, with status 422",
        first(chat(calls=[call()], reasoning_content=THINKING)),
        replace(PLAYED, refused=1), replace(PLAYED, refused=1),
        rules=(needs("reasoning_content", _reasoning, status=422, shape=lambda name: {
            "detail": [{"type": "extra_forbidden", "loc": ["body", "messages", 2, "assistant", name], "msg": "Extra inputs are not permitted"}]
        }),),
    ),
    Kind(
        "user_not_taken", 8, "mistralai/platform-docs-public#7", "the server refuses unknown request fields, including `user`",
        first(chat(calls=[call()])), PLAYED, PLAYED,
        rules=(Rule(lambda r: "user: Extra inputs are not permitted" if "user" in r else None, 422),),
    ),
    Kind(
        "arguments_an_object", 10, "huggingface/text-generation-inference#2461",
        "the arguments are an object instead of text",
        first(chat(calls=[call({"word": "crane"})])), PLAYED, PLAYED,
    ),
    Kind(
        "content_of_parts", 11, "nextcloud/integration_openai#408", "the content is a list of parts",
        first(chat([{"type": "text", "text": TAGGED}], [call()])), PLAYED, PLAYED,
    ),
]  # fmt: skip

_NINE = re.compile(r"[A-Za-z0-9]{9}")


def _nine(request: Json) -> str | None:
    odd = [c.get("id") for c in calls(request) if not _NINE.fullmatch(str(c.get("id")))]
    odd = [id_ for id_ in odd if id_ not in ("call_last", "call_two")]
    return (
        f"Tool call id was {odd[0]} but must be a-z, A-Z, 0-9, with a length of 9" if odd else None
    )


def _without_id() -> Json:
    return {key: value for key, value in call().items() if key != "id"}


IDS = [
    Kind(
        f"ids_{name}", 7, source, f"the id of a call is {name}; Mistral accepts only nine letters or digits",
        first(chat(calls=[odd])), PLAYED, PLAYED, rules=(Rule(_nine),),
    )
    for name, source, odd in (
        ("null", "mistralai/client-js#69", call(id=None)),
        ("empty", "vercel/ai#6663", call(id="")),
        ("missing", "openai/openai-node#1946", _without_id()),
    )
]  # fmt: skip
IDS += [
    Kind(
        "ids_twice_in_a_message", 7, "xorbitsai/inference#4237", "all calls of a message have the same id",
        first(chat(calls=[call(), call(f'{{"word": "{OTHER}"}}')])),
        Expected("terminated", 1.0, (None, None, None)), PLAYED,
    ),
    Kind(
        "ids_twice_in_an_episode", 7, "open-webui/open-webui#28570",
        "Kimi: ids restart in each message, and the first must be sent back unchanged",
        (
            one(chat(calls=[call(id="functions.guess:0")])),
            one(chat(f"<guess>{OTHER}</guess>", [call(f'{{"word": "{OTHER}"}}', "functions.guess:0")])),
            SOLVE,
        ),
        Expected("terminated", 1.0, (None, None, None)), Expected("terminated", 1.0, (None, None, None)),
        rules=(Rule(lambda r: "the id of the first call is not functions.guess:0" if calls(r)[:1] and calls(r)[0].get("id") != "functions.guess:0" else None),),
    ),
]  # fmt: skip

LIMITS = [
    full("full_vllm", "vllm-project/vllm#20409", 400, _vllm(_LONG), "vLLM's error"),
    full("full_vllm_flat", "HKUSTDial/Alpha-SQL#5", 400, {"object": "error", "message": _LONG, "type": "BadRequestError", "param": None, "code": 400}, "vLLM's older error body, without `error`"),
    full("full_vllm_max_tokens", "vllm-project/vllm#4667", 400, {"object": "error", "message": "max_tokens must be at least 1, got -186.", "type": "BadRequestError", "param": None, "code": 400}, "the remaining context is negative"),
    full("full_llama_cpp", "ggml-org/llama.cpp#19774", 400, {"error": _LLAMA}, "llama.cpp's error"),
    full("full_llama_cpp_500", "ggml-org/llama.cpp#19774", 500, {"error": {"code": 500, "message": "Context size has been exceeded.", "type": "server_error"}}, "llama.cpp's error with status 500; the request must not be repeated"),
    full("full_tgi_422", "huggingface/text-generation-inference#628", 422, {"error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 1244 `inputs` tokens and 1000 `max_new_tokens`", "error_type": "validation"}, "TGI: status 422, and the error is plain text"),
    full("full_anthropic", "NousResearch/hermes-agent#821", 400, {"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 233153 tokens > 200000 maximum"}}, "Anthropic: the prompt alone is too long"),
    full("full_anthropic_both", "docker/docker-agent#569", 400, {"type": "error", "error": {"type": "invalid_request_error", "message": "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again"}}, "Anthropic: prompt and answer together are too long"),
    full("full_openai", "huggingface/smolagents#1719", 400, {"error": {"message": "Please shorten it.", "type": "invalid_request_error", "param": "messages", "code": "context_length_exceeded"}}, "only the error code shows that the context is full"),
    Kind(
        "full_at_once", 13, "ggml-org/llama.cpp#17284",
        "the first request is already too long: the environment's prompt does not fit this server",
        (one(Answer({"error": _LLAMA}, 400)),), failed("context size"), failed("context size"),
    ),
]  # fmt: skip

KINDS = [*ENDS, *ARGUMENTS, *BACK, *IDS, *LIMITS]
